import { expect, it } from 'vitest'
import { THRESHOLDS } from '#contract/model/thresholds.ts'
import { pairScores } from '#core/calibration/people.ts'
import { meanRates, ratesOf } from '#core/calibration/rates.ts'

it('pairScores compares each pair of pictures once, and separates pairs of one person', () => {
  const scores = pairScores([[1, 2], [4], [8, 16]], (a, b) => a + b)
  expect([...scores.same]).toEqual([3, 24])
  expect([...scores.strangers]).toEqual([5, 6, 9, 10, 12, 17, 18, 20])
})

it('ratesOf returns match rates at each named threshold and at each false match rate', () => {
  const rising = (count: number, most: number) =>
    Float32Array.from({ length: count }, (_, i) => ((i + 1) / count) * most)
  const rates = ratesOf({ strangers: rising(100_000, 0.8), same: rising(1_000, 1) }, score => score)
  const strict = rates.named.find(({ name }) => name === 'strict')!
  expect(strict.falseMatches).toBeCloseTo((0.8 - THRESHOLDS.strict) / 0.8, 4)
  expect(strict.trueMatches).toBeCloseTo(1 - THRESHOLDS.strict, 3)
  expect(rates.at[0]).toEqual({ falseMatches: 0.1, trueMatches: expect.closeTo(1 - 0.72, 3) })
  expect([rates.strangers, rates.same]).toEqual([100_000, 1_000])
})

it('ratesOf returns NaN true matches when nobody has two pictures', () => {
  const { named } = ratesOf(
    pairScores([[0.1], [0.2]], (a, b) => a + b),
    score => score,
  )
  expect(named[0]!.trueMatches).toBeNaN()
})

it('meanRates averages the rates and adds the numbers of pairs', () => {
  const of = (score: number) =>
    ratesOf({ strangers: Float32Array.of(score), same: Float32Array.of(score) }, x => x)
  expect(meanRates(of(0.1), of(0.9))).toMatchObject({
    named: [{ falseMatches: 0.5, trueMatches: 0.5 }, { name: 'medium' }, { name: 'strict' }],
    strangers: 2,
  })
})
