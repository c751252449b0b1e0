/**
 * Finds the score that a given share of strangers reaches in a gallery (FPIR), from how alike its people are.
 *
 * Scores of different people are distributed nearly like a normal distribution, with a longer tail. Mean, deviation and tail are
 * those of the gallery's own people. The share of strangers is that of one comparison, repeated for each person.
 */

/** How alike different people of a gallery are. Scores are cosines. */
export interface Alikeness {
  /** People of the gallery. */
  people: number
  /** Pairs of people that were compared. The other fields are of these pairs; 0 without any. */
  pairs: number
  mean: number
  deviation: number
  /** Deviations from the mean to the score that TAIL_RATE of the pairs reach, divided by those of a normal distribution. */
  tail: number
}

export const TAIL_RATE = 0.003

/** What is assumed of people until enough pairs are compared. */
export type Assumed = Pick<Alikeness, 'mean' | 'deviation'>

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

/** Tail of most populations: 1.08 on LFW, 1.13 with ten groups, 1.02 with one (`npm run bench -- open-set`). */
const ASSUMED_TAIL = 1.1

/** Numbers of pairs of which mean and deviation, and the tail, weigh as much as what is assumed. */
const PAIRS = { mean: 20, tail: 5_000 }

/** The assumption for a pack: its cosines at the false match rates 1e-1 and 1e-3 between any two adults. */
export function assumedOf({ low, medium }: { low: number; medium: number }): Assumed {
  const deviation = (medium - low) / (ASSUMED_TAIL * (deviationsAt(1e-3) - deviationsAt(1e-1)))
  const mean = low - deviation * ASSUMED_TAIL * deviationsAt(1e-1)
  // The people of a small gallery are often of one group: more alike than any two adults.
  return { mean: mean + ONE_GROUP * deviation, deviation }
}

/** Deviations by which the mean of pairs of one group is above that of all pairs: the mean of ten groups of UTKFace. */
const ONE_GROUP = 0.75

/** The score that this share of strangers reaches with somebody of the gallery. */
export function scoreAtFpir({ people, pairs, ...own }: Alikeness, assumed: Assumed, fpir: number): number {
  const rate = 1 - (1 - fpir) ** (1 / Math.max(1, people))
  const mixed = (share: number, mine: number, other: number) => share * mine + (1 - share) * other
  const [share, tailShare] = [pairs / (pairs + PAIRS.mean), pairs / (pairs + PAIRS.tail)]
  const tail = mixed(tailShare, Math.max(1, own.tail), ASSUMED_TAIL)
  const deviation = mixed(share, own.deviation, assumed.deviation)
  return mixed(share, own.mean, assumed.mean) + deviation * tail * deviationsAt(rate)
}
