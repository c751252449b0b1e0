/** An allowance of requests: so many a second, and what was not used is saved up to a bound. */

export interface RateAllowance {
  /** Seconds until there is one: 0 when there is one now. */
  wait(now: number): number
  /** Takes one, whether there is one or not. */
  spend(now: number): void
}

/** So much of one counts as one: what came in several parts, each rounded, must be there after the time that was said. */
const ONE = 1 - 1e-9

/**
 * `perSecond` come in a second, and at most `saved` are kept: what one second brings when absent, but at least one. Times
 * are milliseconds of any clock; one that goes back brings nothing and takes nothing away.
 */
export function rateAllowance(perSecond: number, saved: number = Math.max(1, perSecond)): RateAllowance {
  let left = saved
  let at = Number.NEGATIVE_INFINITY
  const fill = (now: number): void => {
    if (now <= at) return
    left = Math.min(saved, left + ((now - at) / 1000) * perSecond)
    at = now
  }
  return {
    wait(now) {
      fill(now)
      return left >= ONE ? 0 : (1 - left) / perSecond
    },
    spend(now) {
      fill(now)
      left = Math.max(0, left - 1)
    },
  }
}
