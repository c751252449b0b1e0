import { fitTail, scoreAbove, shareAbove, type Weighed } from '#bench/lib/statistics/pareto.ts'
import { times } from '#test/support/times.ts'

/** The `count` greatest of `total` scores whose quantiles `score` gives. */
const topScores = (count: number, total: number, score: (share: number) => number): Weighed[] =>
  times(count, i => ({ score: score((i + 0.5) / total), weight: 1 }))

/** An exponential tail, whose shares fall to a tenth for each 0.14; and a bounded tail that ends at 1. */
const exponentialTail = (share: number) => 0.3 - 0.14 * Math.log10(share / 1e-2)
const boundedTail = (share: number) => 1 - 0.7 * (share / 1e-2) ** 0.12

const TOTAL = 200_000

describe.each([
  { what: 'an exponential', score: exponentialTail, shape: 0 },
  { what: 'a bounded', score: boundedTail, shape: -0.12 },
])('fitTail on $what tail', ({ score, shape }) => {
  const tail = fitTail(topScores(2_000, TOTAL, score), 0.3, 2, TOTAL)

  it('recovers the shape, and converts shares to scores and back', () => {
    expect(tail.shape).toBeCloseTo(shape, 1)
    expect(scoreAbove(tail, 1e-4)).toBeCloseTo(score(1e-4), 1)
    expect(shareAbove(tail, score(1e-4)) / 1e-4).toBeCloseTo(1, 0)
    expect(shareAbove(tail, scoreAbove(tail, 3e-6))).toBeCloseTo(3e-6, 8)
  })

  it('ignores scores above the bar', () => {
    const bar = score(5e-4)
    const pairs = topScores(2_000, TOTAL, score)
    const cut = fitTail(pairs, 0.3, bar, TOTAL)
    const same = times(150, () => ({ score: 0.95, weight: 1 }))
    expect(scoreAbove(fitTail([...pairs, ...same], 0.3, bar, TOTAL), 1e-5)).toBe(scoreAbove(cut, 1e-5))
    expect(scoreAbove(cut, 1e-5)).toBeGreaterThan(score(1e-5) - 0.05)
    expect(scoreAbove(cut, 1e-5)).toBeLessThan(score(1e-5) + 0.05)
  })
})
