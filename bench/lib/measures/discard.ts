/**
 * Error versus discard: false non-match rates after the faces with the lowest quality are discarded (ISO/IEC
 * 29794-1).
 */

/** A face, its quality, and its scores against pictures of the same person, of which there is at least one. */
export interface Probe {
  readonly quality: number
  readonly scores: readonly number[]
}

/** False non-match rates at a threshold after each of these shares of the faces is discarded, lowest quality first. */
export function errorsVersusDiscard(
  probes: readonly Probe[],
  threshold: number,
  shares: readonly number[],
): number[] {
  const rising = probes.toSorted((a, b) => a.quality - b.quality)
  return shares.map(share => falseNonMatches(rising.slice(Math.round(share * rising.length)), threshold))
}

/** Lower bound of the rate after discarding this share: that of a measure which discards only failing faces. */
export const leastError = (atFirst: number, share: number): number =>
  Math.max(0, (atFirst - share) / (1 - share))

/** Share of scores below the threshold, averaged over faces: each face has equal weight. */
const falseNonMatches = (probes: readonly Probe[], threshold: number): number =>
  probes.reduce(
    (sum, { scores }) => sum + scores.filter(score => score < threshold).length / scores.length,
    0,
  ) / probes.length
