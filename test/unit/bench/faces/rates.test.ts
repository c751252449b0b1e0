import { expect, it } from 'vitest'
import { accuracyAt, bestThreshold, tenFoldAccuracy, trueAcceptRate } from '#bench/lib/statistics/rates.ts'

const pairs = (same: readonly number[], different: readonly number[]) => [
  ...same.map(score => ({ score, same: true })),
  ...different.map(score => ({ score, same: false })),
]

it('bestThreshold returns the threshold with the highest accuracy', () => {
  const all = pairs([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
  expect(bestThreshold(all)).toBe(0.8)
  expect(accuracyAt(all, 0.8)).toBeCloseTo(5 / 6)
})

it('accuracyAt counts pairs without a face as wrong at every threshold', () => {
  const all = pairs([0.9, Number.NEGATIVE_INFINITY], [0.1, Number.POSITIVE_INFINITY])
  expect(accuracyAt(all, bestThreshold(all))).toBe(0.5)
})

it('tenFoldAccuracy tests each fold with the best threshold of the other folds', () => {
  const separate = pairs(Array(20).fill(0.9), Array(20).fill(0.1))
  expect(tenFoldAccuracy(separate)).toBe(1)
  const same = Array.from({ length: 20 }, (_, i) => (i < 2 ? 0.05 : 0.9))
  expect(tenFoldAccuracy(pairs(same, Array(20).fill(0.1)))).toBeCloseTo(0.95)
})

it('trueAcceptRate returns the share of genuine pairs above the threshold for a false accept rate', () => {
  const impostors = Array.from({ length: 100 }, (_, i) => i / 100)
  expect(trueAcceptRate(pairs([0.985, 0.975, 0.5], impostors), 0.02)).toBeCloseTo(2 / 3)
  expect(trueAcceptRate(pairs([0.995, 0.985], impostors), 0)).toBe(0.5)
})
