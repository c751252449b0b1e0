import { expect, it } from 'vitest'
import { oneIn, thresholdRows, worstCase } from '#models/calibrations.ts'
import { STANDARD } from '#models/manifest.ts'

it('oneIn writes a share as "1 in n" with two significant digits', () => {
  expect([0.1, 0.0148, 9.99e-6].map(oneIn)).toEqual(['1 in 10', '1 in 68', '1 in 100,000'])
})

it('thresholdRows has a row for each named threshold of both tables of the standard pack', () => {
  const { measured } = STANDARD.embedder.calibration
  for (const table of [measured!.default, measured!.alike!]) {
    const rows = thresholdRows(table)
    expect(rows.map(({ threshold }) => threshold)).toEqual(['low', 'medium', 'strict'])
    expect(rows[1]!.recognised).toMatch(/^\d\d\.\d %$/)
    expect(rows[1]!['worst group']).toMatch(/^1 in [\d,]+ \((\w+) (wo)?men\)$/)
  }
})

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
