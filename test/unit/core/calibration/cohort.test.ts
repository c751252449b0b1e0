import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type CohortStatistics,
  cohortOf,
  cohortStatistics,
  greatestScoreIn,
  scoreIn,
} from '../../../../core/calibration/cohort.ts'
import { dot } from '../../../../core/vector-store/unit-vector.ts'
import { people } from './synthetic.ts'

const MEMBERS = people(300, 1, 3).flat()
const COHORT = cohortOf(MEMBERS)
const STRANGERS = people(60, 1, 4).flat()
const STANDINGS = STRANGERS.map(unit => cohortStatistics(COHORT, unit))

const cosine = fc.double({ min: -1, max: 1, noNaN: true })
const face = fc.nat(STRANGERS.length - 1)
const anyStanding: fc.Arbitrary<CohortStatistics> = fc.record({
  mean: fc.double({ min: -1, max: 1, noNaN: true }),
  deviation: fc.double({ min: 1e-6, max: 1, noNaN: true }),
})

/** Mean and deviation of some numbers. */
function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean: expect.closeTo(mean, 9), deviation: expect.closeTo(Math.sqrt(variance), 9) }
}

it('says of a face the mean and the deviation of the twentieth of the cohort that is nearest, but for one', () => {
  const [unit] = STRANGERS
  const falling = MEMBERS.map(member => dot(unit!, member, 0)).sort((a, b) => b - a)
  expect(STANDINGS[0]).toEqual(momentsOf(falling.slice(1, 16)))
})

it('measures nobody beside himself: a face of the cohort stands as it would without its own picture', () => {
  const [unit, ...others] = MEMBERS
  const falling = others.map(member => dot(unit!, member, 0)).sort((a, b) => b - a)
  expect(cohortStatistics(COHORT, unit!)).toEqual(momentsOf(falling.slice(0, 15)))
})

it('says the same, to the bit, of equal embeddings, and nearly so of one at another length', () => {
  const [unit] = STRANGERS
  expect(cohortStatistics(COHORT, unit!.slice())).toEqual(cohortStatistics(COHORT, unit!))
  const longer = cohortStatistics(
    COHORT,
    unit!.map(value => 7 * value),
  )
  expect(longer.mean).toBeCloseTo(STANDINGS[0]!.mean, 6)
})

it('scores two faces the same, whichever is the probe', () => {
  fc.assert(
    fc.property(cosine, anyStanding, anyStanding, (c, a, b) => {
      expect(scoreIn(COHORT, c, a, b)).toBe(scoreIn(COHORT, c, b, a))
    }),
  )
})

it('never lets a score fall when the cosine rises', () => {
  fc.assert(
    fc.property(cosine, cosine, face, face, (c, d, a, b) => {
      const [low, high] = [Math.min(c, d), Math.max(c, d)]
      const score = (one: number) => scoreIn(COHORT, one, STANDINGS[a]!, STANDINGS[b]!)
      expect(score(low)).toBeLessThanOrEqual(score(high))
    }),
  )
})

it('knows what no face, however odd, scores above', () => {
  fc.assert(
    fc.property(cosine, cosine, face, anyStanding, (c, d, probe, other) => {
      const [low, high] = [Math.min(c, d), Math.max(c, d)]
      const most = greatestScoreIn(COHORT, high, STANDINGS[probe]!)
      expect(scoreIn(COHORT, low, STANDINGS[probe]!, other)).toBeLessThanOrEqual(most)
    }),
  )
})

it('gives a face that is alike to the whole cohort no score without end', () => {
  const flat = { mean: 0.5, deviation: 1e-6 }
  const usual = scoreIn(COHORT, 0.99, STANDINGS[0]!, STANDINGS[1]!)
  expect(scoreIn(COHORT, 0.99, flat, STANDINGS[1]!)).toBeLessThan(10 * usual)
})
