/** Error versus discard: what is left of the false non-matches when the worst faces are not used (ISO/IEC 29794-1). */

/** A face, how good it is thought to be, and its scores against pictures of the same person, of which there is one at least. */
export interface Probe {
  readonly quality: number
  readonly scores: readonly number[]
}

/** False non-match rates at a threshold, after each of these shares of the faces is discarded, the worst first. */
export function errorsVersusDiscard(
  probes: readonly Probe[],
  threshold: number,
  shares: readonly number[],
): number[] {
  const rising = probes.toSorted((a, b) => a.quality - b.quality)
  return shares.map(share => falseNonMatches(rising.slice(Math.round(share * rising.length)), threshold))
}

/** The least that discarding can leave: as if every face of the share failed, and no other measure can do better. */
export const leastError = (atFirst: number, share: number): number =>
  Math.max(0, (atFirst - share) / (1 - share))

/** The mean over faces of the share of their scores that are below the threshold: each face counts alike. */
const falseNonMatches = (probes: readonly Probe[], threshold: number): number =>
  probes.reduce(
    (sum, { scores }) => sum + scores.filter(score => score < threshold).length / scores.length,
    0,
  ) / probes.length
