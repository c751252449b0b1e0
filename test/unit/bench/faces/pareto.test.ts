import { describe, expect, it } from 'vitest'
import { fitTail, type Weighed } from '../../../../bench/lib/measures/pareto.ts'

/** The scores that just these shares of all are above, when shares fall as `score` says. */
const drawn = (count: number, total: number, score: (share: number) => number): Weighed[] =>
  Array.from({ length: count }, (_, i) => ({ score: score((i + 0.5) / total), weight: 1 }))

/** Scores that thin out evenly, by a tenth for each .14; and the same with an end at 1. */
const even = (share: number) => 0.3 - 0.14 * Math.log10(share / 1e-2)
const ending = (share: number) => 1 - 0.7 * (share / 1e-2) ** 0.12

const TOTAL = 200_000

describe.each([
  { what: 'thin out evenly', score: even, shape: 0 },
  { what: 'have an end', score: ending, shape: -0.12 },
])('the tail of scores that $what', ({ score, shape }) => {
  const tail = fitTail(drawn(2_000, TOTAL, score), 0.3, 2, TOTAL)

  it('has the shape that they were made with, and says what a share of all is above', () => {
    expect(tail.shape).toBeCloseTo(shape, 1)
    expect(tail.score(1e-4)).toBeCloseTo(score(1e-4), 1)
    expect(tail.share(score(1e-4)) / 1e-4).toBeCloseTo(1, 0)
    expect(tail.share(tail.score(3e-6))).toBeCloseTo(3e-6, 8)
  })

  it('does not care for what is above the bar', () => {
    const bar = score(5e-4)
    const pairs = drawn(2_000, TOTAL, score)
    const cut = fitTail(pairs, 0.3, bar, TOTAL)
    const same = Array.from({ length: 150 }, () => ({ score: 0.95, weight: 1 }))
    expect(fitTail([...pairs, ...same], 0.3, bar, TOTAL).score(1e-5)).toBe(cut.score(1e-5))
    expect(cut.score(1e-5)).toBeGreaterThan(score(1e-5) - 0.05)
    expect(cut.score(1e-5)).toBeLessThan(score(1e-5) + 0.05)
  })
})

it('counts pairs by their weights', () => {
  const pairs = drawn(2_000, TOTAL, even)
  const halves = pairs.flatMap(({ score }) => [
    { score, weight: 0.25 },
    { score, weight: 0.25 },
  ])
  expect(fitTail(halves, 0.3, 2, TOTAL / 2).score(1e-5)).toBeCloseTo(
    fitTail(pairs, 0.3, 2, TOTAL).score(1e-5),
    6,
  )
})
