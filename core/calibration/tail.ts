/** Scores of strangers: which of them is reached by how many, also where too few are there to be counted. */

/** The tail that rare scores are told by begins where this many scores, or this share of all, are above. */
const TAIL_COUNT = 100
const TAIL_SHARE = 1e-4

/** The score that this share of all reach. `rising` are scores, sorted. */
export const greatestOf = (rising: Float32Array | Float64Array, share: number): number =>
  rising[Math.max(0, rising.length - Math.max(1, Math.round(share * rising.length)))]!

/**
 * The score that this share of all would reach if the scores above the beginning of the tail thinned out evenly, by half
 * for each step of their median. They thin out quicker, so that fewer reach it than promised; and the median does not
 * care for the few pairs at the top that are one person under two names.
 */
export function tailScore(rising: Float32Array, share: number): number {
  const beyond = Math.ceil(Math.max(TAIL_COUNT, TAIL_SHARE * rising.length))
  const tail = rising.subarray(rising.length - beyond)
  const begin = tail[0]!
  const halving = tail[Math.floor(beyond / 2)]! - begin
  return begin + halving * Math.log2(beyond / rising.length / share)
}
