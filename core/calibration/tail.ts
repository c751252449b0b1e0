/** Quantiles of strangers' scores, extrapolated where there are too few scores to count. */

/** The tail for extrapolation begins where this many scores, or this share of all, are above. */
const TAIL_COUNT = 100
const TAIL_SHARE = 1e-4

/** The score that this share of all scores reaches. `rising` is sorted in ascending order. */
export const greatestOf = (rising: Float32Array | Float64Array, share: number): number =>
  rising[Math.max(0, rising.length - Math.max(1, Math.round(share * rising.length)))]!

/**
 * The score that this share of all would reach, extrapolated from the tail. Assumes that the number of scores halves
 * with each step from the tail's beginning to its median. Real scores fall faster: fewer than `share` reach the result.
 * The median is robust against the few top pairs that show one person under two names.
 */
export function tailScore(rising: Float32Array, share: number): number {
  const beyond = Math.ceil(Math.max(TAIL_COUNT, TAIL_SHARE * rising.length))
  const tail = rising.subarray(rising.length - beyond)
  const begin = tail[0]!
  const halving = tail[Math.floor(beyond / 2)]! - begin
  return begin + halving * Math.log2(beyond / rising.length / share)
}
