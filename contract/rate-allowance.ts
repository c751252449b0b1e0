/** Rate limit with a token bucket: a number of requests per second, and a bounded burst. */

export interface RateAllowance {
  /** Seconds until a request is allowed; 0 when one is allowed now. `now` is in milliseconds. */
  wait(now: number): number
  /** Counts a request, even when none is allowed: then the next wait is longer. */
  spend(now: number): void
}

/** Share of a request that counts as a whole one. It absorbs rounding errors of fractional refills. */
const WHOLE_REQUEST = 1 - 1e-9

/**
 * Adds `perSecond` requests per second, up to `saved`. Default of `saved`: the requests of one second, at least 1. Times are
 * milliseconds of any clock. A clock that goes back adds nothing.
 */
export function rateAllowance(perSecond: number, saved: number = Math.max(1, perSecond)): RateAllowance {
  let available = saved
  let filledAt = Number.NEGATIVE_INFINITY
  const fill = (now: number) => {
    available = Math.min(saved, available + (Math.max(0, now - filledAt) / 1000) * perSecond)
    filledAt = now
  }
  return {
    wait(now) {
      fill(now)
      return available >= WHOLE_REQUEST ? 0 : (1 - available) / perSecond
    },
    spend(now) {
      fill(now)
      available--
    },
  }
}
