import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type CohortStatistics,
  cohortOf,
  cohortStatistics,
  greatestScoreIn,
  scoreIn,
} from '#core/calibration/cohort.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import { people } from './synthetic.ts'

const MEMBERS = people(300, 1, 3).flat()
const COHORT = cohortOf(MEMBERS)
const STRANGERS = people(60, 1, 4).flat()
const STATISTICS = STRANGERS.map(unit => cohortStatistics(COHORT, unit))

const cosine = fc.double({ min: -1, max: 1, noNaN: true })
const face = fc.nat(STRANGERS.length - 1)
const anyStatistics: fc.Arbitrary<CohortStatistics> = fc.record({
  mean: fc.double({ min: -1, max: 1, noNaN: true }),
  deviation: fc.double({ min: 1e-6, max: 1, noNaN: true }),
})

/** Mean and standard deviation of numbers. */
function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean: expect.closeTo(mean, 9), deviation: expect.closeTo(Math.sqrt(variance), 9) }
}

it('cohortStatistics returns mean and deviation of the nearest twentieth of the cohort without the nearest member', () => {
  const [unit] = STRANGERS
  const falling = MEMBERS.map(member => dot(unit!, member, 0)).sort((a, b) => b - a)
  expect(STATISTICS[0]).toEqual(momentsOf(falling.slice(1, 16)))
})

it('cohortStatistics leaves out the own picture of a cohort member', () => {
  const [unit, ...others] = MEMBERS
  const falling = others.map(member => dot(unit!, member, 0)).sort((a, b) => b - a)
  expect(cohortStatistics(COHORT, unit!)).toEqual(momentsOf(falling.slice(0, 15)))
})

it('scoreIn never falls when the cosine rises', () => {
  fc.assert(
    fc.property(cosine, cosine, face, face, (c, d, a, b) => {
      const [low, high] = [Math.min(c, d), Math.max(c, d)]
      const score = (one: number) => scoreIn(COHORT, one, STATISTICS[a]!, STATISTICS[b]!)
      expect(score(low)).toBeLessThanOrEqual(score(high))
    }),
  )
})

it('greatestScoreIn is an upper bound for any other face', () => {
  fc.assert(
    fc.property(cosine, cosine, face, anyStatistics, (c, d, probe, other) => {
      const [low, high] = [Math.min(c, d), Math.max(c, d)]
      const most = greatestScoreIn(COHORT, high, STATISTICS[probe]!)
      expect(scoreIn(COHORT, low, STATISTICS[probe]!, other)).toBeLessThanOrEqual(most)
    }),
  )
})
