/** Logs requests with invalid signatures: the reason, and from time to time advice for the operator. */
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'
import type { Log } from '../../log.ts'
import type { RejectionReason } from './signed.ts'

const SECRETS =
  'An edge signs with a secret that this core does not have. Set EDGE_SECRET (MIEN_EDGE_SECRET) of the edge to what ' +
  '`mien secrets show edge` prints here.'

/** Other reasons have no advice: an operator cannot fix them. */
const ADVICE: Partial<Record<RejectionReason, string>> = {
  'unknown key': SECRETS,
  signature: `${SECRETS} If it is the same, something between them changes requests: a proxy must pass path and body on as they are.`,
  clock: `The clocks of edge and core differ by more than ${RPC_LIMITS.signatureWindowMs / 1000} s. Synchronise both, for example by NTP.`,
}

/** Writes one line per rejection. The advice for a reason is repeated after RPC_LIMITS.trustAdviceMs at the earliest. */
export function rejectionLog(log: Log, now: () => number): (why: RejectionReason) => void {
  const lastAdvice = new Map<RejectionReason, number>()
  return why => {
    const advice = ADVICE[why]
    const last = lastAdvice.get(why)
    const isDue = last === undefined || now() - last >= RPC_LIMITS.trustAdviceMs
    if (advice === undefined || !isDue) return log('signature rejected', { why })
    lastAdvice.set(why, now())
    log('signature rejected', { why, advice })
  }
}
