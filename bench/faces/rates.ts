/** Error rates of comparisons: what a threshold accepts of pairs of one person and of two. */

/** The score of a pair, and whether both pictures show one person. */
export interface Compared {
  readonly score: number
  readonly same: boolean
}

/** Share of the pairs that the threshold decides rightly: a score at or above it says "one person". */
export const accuracyAt = (pairs: readonly Compared[], threshold: number): number =>
  pairs.filter(({ score, same }) => score >= threshold === same).length / pairs.length

/** The threshold that decides most of the pairs rightly. */
export function bestThreshold(pairs: readonly Compared[]): number {
  const falling = pairs.toSorted((a, b) => b.score - a.score)
  let right = pairs.filter(({ same }) => !same).length
  const nobody = Number.POSITIVE_INFINITY
  let best = { right: accuracyAt(pairs, nobody) * pairs.length, threshold: nobody }
  for (const [i, { score, same }] of falling.entries()) {
    right += same ? 1 : -1
    // Equal scores fall on the same side of any threshold.
    if (right > best.right && falling[i + 1]?.score !== score) best = { right, threshold: score }
  }
  return best.threshold
}

/**
 * LFW's own measure: each tenth of the pairs is decided by the best threshold of the other nine. The tenths are taken
 * in the order of the file, of both kinds of pairs alike.
 */
export function tenFoldAccuracy(pairs: readonly Compared[]): number {
  const kinds = [pairs.filter(({ same }) => same), pairs.filter(({ same }) => !same)]
  const inFold = (fold: number) => (kind: readonly Compared[]) =>
    kind.filter((_, i) => Math.floor((i * 10) / kind.length) === fold)
  const folds = Array.from({ length: 10 }, (_, fold) => kinds.flatMap(inFold(fold)))
  const accuracies = folds.map(tested => {
    const threshold = bestThreshold(folds.filter(fold => fold !== tested).flat())
    return accuracyAt(tested, threshold)
  })
  return accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / accuracies.length
}

/** Share of the pairs of one person that score above all but `far` of the pairs of two. */
export function trueAcceptRate(pairs: readonly Compared[], far: number): number {
  const impostors = pairs.filter(({ same }) => !same).map(({ score }) => score)
  const threshold =
    impostors.sort((a, b) => b - a)[Math.floor(far * impostors.length)] ?? Number.NEGATIVE_INFINITY
  const genuine = pairs.filter(({ same }) => same)
  return genuine.filter(({ score }) => score > threshold).length / genuine.length
}
