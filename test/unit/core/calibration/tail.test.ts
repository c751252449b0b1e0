import { expect, it } from 'vitest'
import { greatestOf, tailScore } from '../../../../core/calibration/tail.ts'
import { normal } from './synthetic.ts'

it('finds the score that a share of all reach, of very few the greatest', () => {
  const rising = Float32Array.from({ length: 1000 }, (_, i) => i)
  expect([greatestOf(rising, 0.1), greatestOf(rising, 1e-3), greatestOf(rising, 1e-9)]).toEqual([
    900, 999, 999,
  ])
})

it('goes on with a tail that thins out evenly as far as it is asked to', () => {
  const count = 200_000
  const rising = Float32Array.from({ length: count }, (_, i) => -Math.log2((count - i) / count))
  expect(tailScore(rising, 1e-5)).toBeCloseTo(-Math.log2(1e-5), 1)
})

/** Of normally distributed scores the share that this one leaves above, by the usual approximation for far ones. */
const above = (score: number) => Math.exp((-score * score) / 2) / (score * Math.sqrt(2 * Math.PI))

it('lets rather fewer through than it says where scores thin out quicker, as those of strangers do', () => {
  const next = normal(5)
  const rising = Float32Array.from({ length: 300_000 }, next).sort()
  const share = above(tailScore(rising, 1e-5))
  expect(share).toBeLessThan(1.2e-5)
  expect(share).toBeGreaterThan(2e-6)
})

it('hardly cares for some pairs at the top that are no strangers', () => {
  const next = normal(5)
  const clean = Float32Array.from({ length: 300_000 }, next)
  const with15 = clean.slice().fill(9, 0, 15).sort()
  expect(tailScore(with15, 1e-5) - tailScore(clean.sort(), 1e-5)).toBeLessThan(0.35)
})
