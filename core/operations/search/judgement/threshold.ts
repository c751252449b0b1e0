/**
 * Finds the score that a given share of strangers reaches in a gallery (FPIR), from how alike its people are.
 *
 * Scores of different people are distributed nearly like a normal distribution, with a longer tail: the more groups of people, the
 * longer. Mean, deviation and tail are measured on the gallery's own people. A stranger is compared with each person: the share of
 * one comparison, repeated for each person, gives the share of strangers.
 */

/** How alike different people of a gallery are. Scores are cosines. */
export interface Alikeness {
  /** People of the gallery. */
  people: number
  /** Compared pairs of people. All other fields describe these pairs; 0 without pairs. */
  pairs: number
  mean: number
  deviation: number
  /** Deviations from the mean to the score that 1 pair in 100, and 1 in 1,000, reaches. */
  hundredth: number
  thousandth: number
}

/** Assumption about people until enough pairs are compared. */
type Assumed = Pick<Alikeness, 'mean' | 'deviation'>

/** Deviations that a normal distribution exceeds at the rates 1e-1, 1e-2, ... */
const DEVIATIONS = [
  1.2816, 2.3263, 3.0902, 3.719, 4.2649, 4.7534, 5.1993, 5.612, 5.9978, 6.3613, 6.706, 7.0345,
]

/** Deviations that a normal distribution exceeds at a rate: linear in the logarithm of the rate, up to 1e-12. */
export function deviationsAt(rate: number): number {
  const place = Math.min(DEVIATIONS.length - 1, Math.max(0, -Math.log10(rate) - 1))
  const [below, above] = [DEVIATIONS[Math.floor(place)]!, DEVIATIONS[Math.ceil(place)]!]
  return below + (place % 1) * (above - below)
}

/** Deviations of most populations, divided by the deviations of a normal distribution: 1.08 on LFW, 1.13 with ten groups, 1.02 with one. */
const ASSUMED_TAIL = 1.1

/** Farther out, tails become thinner than the line through the measured scores (`npm run bench -- open-set`). */
const TAIL_SHRINKAGE = 0.95

/** Numbers of pairs whose mean and deviation, and whose tail, weigh as much as the assumption. */
const PAIRS = { mean: 20, tail: 5_000 }

/** The assumption for a pack: its cosines at the false match rates 1e-1 and 1e-3 between any two adults. */
export function assumedOf({ low, medium }: { low: number; medium: number }): Assumed {
  const deviation = (medium - low) / (ASSUMED_TAIL * (deviationsAt(1e-3) - deviationsAt(1e-1)))
  const mean = low - deviation * ASSUMED_TAIL * deviationsAt(1e-1)
  // The people of a small gallery are often of one group: more alike than any two adults.
  return { mean: mean + ONE_GROUP * deviation, deviation }
}

/** Deviations by which the mean of pairs of one group is above the mean of all pairs: the mean of ten groups of UTKFace. */
const ONE_GROUP = 0.75

/** The score that this share of strangers reaches with any person of the gallery. */
export function scoreAtFpir({ people, pairs, ...own }: Alikeness, assumed: Assumed, fpir: number): number {
  const rate = 1 - (1 - fpir) ** (1 / Math.max(1, people))
  const mixed = (share: number, mine: number, other: number) => share * mine + (1 - share) * other
  const [share, tailShare] = [pairs / (pairs + PAIRS.mean), pairs / (pairs + PAIRS.tail)]
  const mean = mixed(share, own.mean, assumed.mean)
  const deviation = mixed(share, own.deviation, assumed.deviation)
  return mean + deviation * mixed(tailShare, measuredAt(own, rate), ASSUMED_TAIL * deviationsAt(rate))
}

/** Deviations at a rate, by the line through the two measured scores. */
function measuredAt({ hundredth, thousandth }: Pick<Alikeness, 'hundredth' | 'thousandth'>, rate: number) {
  const slope = (TAIL_SHRINKAGE * (thousandth - hundredth)) / (deviationsAt(1e-3) - deviationsAt(1e-2))
  return thousandth + slope * (deviationsAt(rate) - deviationsAt(1e-3))
}
