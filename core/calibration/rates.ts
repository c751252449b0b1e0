/** What thresholds let through: of strangers, and of people who come again. */
import { THRESHOLDS } from '../contract/model/thresholds.ts'
import type { PairScores } from './pairs.ts'
import { greatestOf } from './tail.ts'

/** Shares, 0..1, of the pairs of strangers and of those of one person; the latter NaN where nobody has two pictures. */
export interface Shares {
  falseMatches: number
  trueMatches: number
}

export interface Rates {
  /** By the contract's names: what reaches them. */
  named: (Shares & { name: string })[]
  /** True matches where just this share of strangers is let through, whatever confidence that is. */
  at: Shares[]
  /** Pairs that were compared. */
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

/** The means of two sets' rates; their pairs together. */
export const meanRates = (a: Rates, b: Rates): Rates => ({
  named: a.named.map((rates, i) => ({ ...rates, ...meanShares(rates, b.named[i]!) })),
  at: a.at.map((rates, i) => meanShares(rates, b.at[i]!)),
  strangers: a.strangers + b.strangers,
  same: a.same + b.same,
})

const meanShares = (a: Shares, b: Shares): Shares => ({
  falseMatches: (a.falseMatches + b.falseMatches) / 2,
  trueMatches: (a.trueMatches + b.trueMatches) / 2,
})

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
