/** What thresholds let through: of strangers, and of people who come again. */
import { THRESHOLDS } from '../contract/thresholds.ts'
import type { PairScores } from './pairs.ts'
import { greatestOf } from './tail.ts'

export interface Rates {
  /** By the contract's names: the shares, 0..1, of pairs whose confidence reaches them. `trueMatches` is NaN where nobody has two pictures. */
  named: { name: string; falseMatches: number; trueMatches: number }[]
  /** True matches where just this share of strangers is let through, whatever confidence that is. */
  at: { falseMatches: number; trueMatches: number }[]
  strangers: number
  same: number
}

const NAMES = ['low', 'medium', 'strict'] as const
const SHARES = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5]

/** `confidence` never falls when the score rises. */
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

/** The share of rising scores from the first one on that reaches. */
function share(rising: Float32Array, reaches: (score: number) => boolean): number {
  let [below, from] = [-1, rising.length]
  while (from - below > 1) {
    const middle = (below + from) >> 1
    if (reaches(rising[middle]!)) from = middle
    else below = middle
  }
  return (rising.length - from) / rising.length
}
