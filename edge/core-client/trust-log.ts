/** Says in the log that edge and core do not trust each other, and what to do. */
import { LIMITS } from '../../core/contract/limits.ts'

/** `signature`: core does not accept the edge's. `certificate`: the edge does not accept core's, or there is no TLS with it. */
export type TrustFailure = 'signature' | 'certificate'

const ADVICE: Record<TrustFailure, string> = {
  signature:
    'Core does not accept the signature of this edge. Set EDGE_SECRET (MIEN_EDGE_SECRET) of the edge to what ' +
    '`npm run --silent secrets -- show edge` prints at core, and check that both clocks are right. Core says more in its log.',
  certificate:
    'No TLS connection to core comes about. Check that the certificate of core is valid for the host in CORE_URL, and that ' +
    'the certificate of the edge, where it has one, is known to core.',
}

/** Writes one line for each core and reason in every LIMITS.distrustToldMs. */
export function trustLog(write: (entry: Record<string, unknown>) => void, now: () => number = Date.now) {
  const told = new Map<string, number>()
  return (url: string, why: TrustFailure): void => {
    const key = `${why} ${url}`
    const last = told.get(key)
    if (last !== undefined && now() - last < LIMITS.distrustToldMs) return
    told.set(key, now())
    write({ event: 'core not trusted', core: new URL(url).host, why, advice: ADVICE[why] })
  }
}
