/** Rate limits of callers without an accepted token, by their networks (http/caller-network.ts). */
import { type RateAllowance, rateAllowance } from '../../contract/rate-allowance.ts'

/** Networks that are remembered. */
const NETWORKS = 10_000

/** All networks together have the allowance of so many: it bounds the work, and one network cannot use it up. */
const NETWORKS_AT_ONCE = 5

/** Returns the allowance of a network: `perSecond` requests per second. */
export function callerAllowances(perSecond: number): (network: string) => RateAllowance {
  const all = rateAllowance(perSecond * NETWORKS_AT_ONCE)
  const known = new Map<string, RateAllowance>()
  return network => {
    const own = known.get(network) ?? rateAllowance(perSecond)
    if (known.size >= NETWORKS) known.clear()
    known.set(network, own)
    return {
      wait: now => Math.max(own.wait(now), all.wait(now)),
      spend(now) {
        if (own.wait(now) === 0) all.spend(now)
        own.spend(now)
      },
    }
  }
}
