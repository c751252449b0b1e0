/** What core's log says of requests that no edge signed as it has to: why, and now and then what to do. */
import { LIMITS } from '../../contract/limits.ts'
import type { Log } from '../../log.ts'
import type { RejectionReason } from './signed.ts'

const SECRETS =
  'An edge signs with a secret that this core does not have. Set EDGE_SECRET (MIEN_EDGE_SECRET) of the edge to what ' +
  '`npm run --silent secrets -- show edge` prints here.'

/** Other refusals have none: no operator can put them right. */
const ADVICE: Partial<Record<RejectionReason, string>> = {
  'unknown key': SECRETS,
  signature: `${SECRETS} If it is the same, something between them changes requests: a proxy must pass path and body on as they are.`,
  clock: `The clocks of edge and core differ by more than ${LIMITS.signatureWindowMs / 1000} s. Synchronise both, for example by NTP.`,
}

/** Each refusal has a line; the advice for one reason is in one of them in every LIMITS.distrustToldMs. */
export function rejectionLog(log: Log, now: () => number): (why: RejectionReason) => void {
  const told = new Map<RejectionReason, number>()
  return why => {
    const advice = ADVICE[why]
    const last = told.get(why)
    const isDue = last === undefined || now() - last >= LIMITS.distrustToldMs
    if (advice === undefined || !isDue) return log('not heard', { why })
    told.set(why, now())
    log('not heard', { why, advice })
  }
}
