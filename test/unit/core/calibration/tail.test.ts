import { expect, it } from 'vitest'
import { greatestOf, tailScore } from '#core/calibration/people.ts'
import { normal } from './synthetic.ts'

it('greatestOf returns the score that a share of all reaches, and the greatest for a tiny share', () => {
  const rising = Float32Array.from({ length: 1000 }, (_, i) => i)
  expect([greatestOf(rising, 0.1), greatestOf(rising, 1e-3), greatestOf(rising, 1e-9)]).toEqual([
    900, 999, 999,
  ])
})

it('tailScore extrapolates an exponential tail', () => {
  const count = 200_000
  const rising = Float32Array.from({ length: count }, (_, i) => -Math.log2((count - i) / count))
  expect(tailScore(rising, 1e-5)).toBeCloseTo(-Math.log2(1e-5), 1)
})

/** Share of a normal distribution above a score, by the approximation for its far tail. */
const above = (score: number) => Math.exp((-score * score) / 2) / (score * Math.sqrt(2 * Math.PI))

it('tailScore lets fewer pairs through than the share on a tail that falls faster', () => {
  const next = normal(5)
  const rising = Float32Array.from({ length: 300_000 }, next).sort()
  const share = above(tailScore(rising, 1e-5))
  expect(share).toBeLessThan(1.2e-5)
  expect(share).toBeGreaterThan(2e-6)
})

it('tailScore changes little when a few top pairs show one person', () => {
  const next = normal(5)
  const clean = Float32Array.from({ length: 300_000 }, next)
  const with15 = clean.slice().fill(9, 0, 15).sort()
  expect(tailScore(with15, 1e-5) - tailScore(clean.sort(), 1e-5)).toBeLessThan(0.35)
})
