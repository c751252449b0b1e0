/** Error rates of comparisons by threshold. */

/** The score of a pair, and whether both pictures show one person. */
export interface Compared {
  readonly score: number
  readonly same: boolean
}

/** Share of pairs that the threshold classifies correctly. Scores at or above it mean "one person". */
export const accuracyAt = (pairs: readonly Compared[], threshold: number): number =>
  pairs.filter(({ score, same }) => score >= threshold === same).length / pairs.length

/** The threshold that classifies the most pairs correctly. */
export function bestThreshold(pairs: readonly Compared[]): number {
  const falling = pairs.toSorted((a, b) => b.score - a.score)
  let right = pairs.filter(({ same }) => !same).length
  const nobody = Number.POSITIVE_INFINITY
  let best = { right: accuracyAt(pairs, nobody) * pairs.length, threshold: nobody }
  for (const [i, { score, same }] of falling.entries()) {
    right += same ? 1 : -1
    // Equal scores lie on the same side of every threshold.
    if (right > best.right && falling[i + 1]?.score !== score) best = { right, threshold: score }
  }
  return best.threshold
}

/**
 * LFW's accuracy: classifies each tenth of the pairs with the best threshold of the other nine. Tenths follow the
 * order of the file, with equal parts of both kinds of pairs.
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

/** Share of genuine pairs that score above all but a share `far` of the impostor pairs. */
export function trueAcceptRate(pairs: readonly Compared[], far: number): number {
  const impostors = pairs.filter(({ same }) => !same).map(({ score }) => score)
  const threshold =
    impostors.sort((a, b) => b - a)[Math.floor(far * impostors.length)] ?? Number.NEGATIVE_INFINITY
  const genuine = pairs.filter(({ same }) => same)
  return genuine.filter(({ score }) => score > threshold).length / genuine.length
}
