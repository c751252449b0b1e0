/** Logs a core that an edge cannot work with, with advice to the operator. */
import { environment } from '../../contract/environment.ts'
import { RPC_LIMITS } from '../../contract/limits/rpc.ts'

/**
 * `signature`: core rejects the signature of the edge. `certificate`: the TLS handshake with core fails. `version`: an earlier
 * core did not understand a request.
 */
export type TrustFailure = 'signature' | 'certificate' | 'version'

const ADVICE: Record<TrustFailure, string> = {
  signature:
    'Core does not accept the signature of this edge. Set EDGE_SECRET (MIEN_EDGE_SECRET) of the edge to what ' +
    '`mien secrets show edge` prints at core, and check that both clocks are right. Core says more in its log.',
  certificate:
    'No TLS connection to core comes about. Check that the certificate of core is valid for the host in CORE_URL, and that ' +
    'the certificate of the edge, where it has one, is known to core.',
  version:
    'This core is of an earlier version than the edge, and did not understand a request. Upgrade core; the edge need not be ' +
    'restarted.',
}

const EVENTS: Record<TrustFailure, string> = {
  signature: 'core not trusted',
  certificate: 'core not trusted',
  version: 'core is older',
}

/** Writes at most one line per core and reason within RPC_LIMITS.trustAdviceMs. */
export function trustLog(
  write: (entry: Record<string, unknown>) => void,
  now: () => number = environment.now,
) {
  const loggedAt = new Map<string, number>()
  return (url: string, why: TrustFailure): void => {
    const key = `${why} ${url}`
    const last = loggedAt.get(key)
    if (last !== undefined && now() - last < RPC_LIMITS.trustAdviceMs) return
    loggedAt.set(key, now())
    write({ event: EVENTS[why], core: new URL(url).host, why, advice: ADVICE[why] })
  }
}
