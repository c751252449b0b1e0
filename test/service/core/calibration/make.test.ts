/** Site calibrations: their promise for unknown people, and refused inputs. */
import { beforeAll, describe, expect, it } from 'vitest'
import { PACK_LIMITS } from '#contract/limits/packs.ts'
import { THRESHOLDS } from '#contract/model/face.ts'
import { gainOf } from '#core/calibration/gain.ts'
import { CalibrationRefused, type MadeCalibration, makeCalibration } from '#core/calibration/make.ts'
import { mergeAlike } from '#core/calibration/people.ts'
import { STANDARD } from '#models/manifest.ts'
import { people } from '#test/unit/core/calibration/synthetic.ts'

const SITE = people(1_000, 2, 7)
let made: MadeCalibration

beforeAll(() => {
  made = makeCalibration(SITE)
})

describe('makeCalibration', { tags: 'long' }, () => {
  it('returns a table that rises through the thresholds of the contract', () => {
    const { table } = made
    expect(table.map(([, confidence]) => confidence)).toEqual([
      0,
      THRESHOLDS.low,
      THRESHOLDS.medium,
      THRESHOLDS.strict,
      1,
    ])
    expect(table.map(([score]) => score)).toEqual(table.map(([score]) => score).sort((a, b) => a - b))
  })

  it('keeps the promised false match rates for unknown people, where the table of the pack does not', () => {
    const { pack, site } = gainOf(SITE, STANDARD.embedder.calibration.default)!
    const shares = Object.fromEntries(site.named.map(({ name, falseMatches }) => [name, falseMatches]))
    expect(shares.strict).toBeLessThan(2e-5)
    expect(shares.medium).toBeLessThan(1.5e-3)
    expect(shares.low).toBeLessThan(1.2e-1)
    // The vectors are random: the pack's table was measured on faces and promises too much for them.
    expect(pack.named.at(-1)!.falseMatches).toBeGreaterThan(1e-3)
  })

  it('merges duplicate pictures and misspelt names of one person', () => {
    const twice = SITE.slice(0, 12).map(([, second]) => [second!])
    const { merged, table } = makeCalibration([...SITE, ...twice])
    expect(merged).toBe(12)
    expect(table[3]![0]).toBeCloseTo(made.table[3]![0], 0)
  })
})

describe('makeCalibration and gainOf with unsuitable people', () => {
  it('refuse too few people, with the number that is needed', () => {
    const few = SITE.slice(0, PACK_LIMITS.calibrationPeople - 1)
    expect(() => makeCalibration(few)).toThrow(CalibrationRefused)
    expect(() => makeCalibration(few)).toThrow('500 different people are needed')
    expect(() => makeCalibration(few)).toThrow('these are of 499.')
    expect(() => makeCalibration([])).toThrow(CalibrationRefused)
  })

  it('refuse pictures of few people under many names', () => {
    const [first, second] = SITE
    const same = Array.from({ length: 600 }, (_, i) => [(i % 2 === 0 ? first : second)![0]!])
    expect(() => makeCalibration(same)).toThrow(CalibrationRefused)
  })

  it('leave the gain unmeasured when half of the people are too few', () => {
    expect(gainOf(SITE.slice(0, 900), STANDARD.embedder.calibration.default)).toBeUndefined()
  })
})

it('keep different people apart', () => {
  expect(mergeAlike(SITE.slice(0, 200))).toEqual(SITE.slice(0, 200))
})
