/** Measures match rates at thresholds: of strangers, and of pairs of one person. */
import { THRESHOLDS } from '#contract/model/face.ts'
import { greatestOf, type PairScores } from './pair-scores.ts'

/** False and true match rate, 0..1. The true match rate is NaN when no person has two pictures. */
interface Shares {
  falseMatches: number
  trueMatches: number
}

interface Rates {
  /** Rates at the contract's named thresholds. */
  named: (Shares & { name: string })[]
  /** True match rates at fixed false match rates, regardless of confidence. */
  at: Shares[]
  /** Number of compared pairs. */
  strangers: number
  same: number
}

const NAMES = ['low', 'medium', 'strict'] as const
const SHARES = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5]

/** Computes the rates. `confidence` is monotonically increasing in the score. */
export function ratesOf({ strangers, same }: PairScores, confidence: (score: number) => number): Rates {
  return {
    named: NAMES.map(name => {
      const reaches = (score: number) => confidence(score) >= THRESHOLDS[name]
      return { name, falseMatches: share(strangers, reaches), trueMatches: share(same, reaches) }
    }),
    at: SHARES.map(falseMatches => {
      const score = greatestOf(strangers, falseMatches)
      return { falseMatches, trueMatches: share(same, one => one > score) }
    }),
    strangers: strangers.length,
    same: same.length,
  }
}

/** Share of the ascending scores from the first score that reaches the threshold; binary search. */
function share(rising: Float32Array, reaches: (score: number) => boolean): number {
  let [below, from] = [-1, rising.length]
  while (from - below > 1) {
    const middle = (below + from) >> 1
    if (reaches(rising[middle]!)) from = middle
    else below = middle
  }
  return (rising.length - from) / rising.length
}
