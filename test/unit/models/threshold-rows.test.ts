import { expect, it } from 'vitest'
import { worstCase } from '#models/calibrations.ts'
import { STANDARD } from '#models/manifest.ts'

it('worstCase names the worst group and the cost of halving its share', () => {
  const reached = {
    strangers: 1e-3,
    alike: 7e-3,
    worst: { group: 'Asian women', share: 0.0125, halved: { threshold: 0.69, same: 0.952 } },
    same: 0.97,
  }
  expect(worstCase('medium', reached)).toBe(
    'When both strangers are Asian women, `medium` takes 1 in 80 of them for one person. ' +
      'The threshold 0.69 halves that, and recognises 95.2 % of true pairs instead of 97.0 %.',
  )
})

it('the standard pack keeps the promised false match rates: "default" for any two strangers, "alike" for similar ones', () => {
  const { measured } = STANDARD.embedder.calibration
  const promised = { low: 0.1, medium: 1e-3, strict: 1e-5 }
  for (const name of ['low', 'medium', 'strict'] as const) {
    expect(measured!.default[name].strangers).toBeLessThan(1.02 * promised[name])
    expect(measured!.alike![name].alike).toBeLessThan(1.02 * promised[name])
    expect(measured!.alike![name].same).toBeLessThan(measured!.default[name].same)
  }
})
