import { expect, it } from 'vitest'
import { tailScore } from '#core/calibration/people.ts'
import { normal } from './synthetic.ts'

it('tailScore extrapolates an exponential tail', () => {
  const count = 200_000
  const rising = Float32Array.from({ length: count }, (_, i) => -Math.log2((count - i) / count))
  expect(tailScore(rising, 1e-5)).toBeCloseTo(-Math.log2(1e-5), 1)
})

it('tailScore changes little when a few top pairs show one person', () => {
  const next = normal(5)
  const clean = Float32Array.from({ length: 300_000 }, next)
  const with15 = clean.slice().fill(9, 0, 15).sort()
  expect(tailScore(with15, 1e-5) - tailScore(clean.sort(), 1e-5)).toBeLessThan(0.35)
})
