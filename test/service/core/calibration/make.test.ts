/** A site's calibration: what it promises of people that it has not seen, and what it refuses. */
import { beforeAll, describe, expect, it } from 'vitest'
import { gainOf } from '../../../../core/calibration/gain.ts'
import {
  CalibrationRefused,
  type MadeCalibration,
  makeCalibration,
} from '../../../../core/calibration/make.ts'
import { mergeAlike } from '../../../../core/calibration/people.ts'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { THRESHOLDS } from '../../../../core/contract/model/thresholds.ts'
import { STANDARD } from '../../../../models/manifest.ts'
import { people } from '../../../unit/core/calibration/synthetic.ts'

const SITE = people(1_000, 2, 7)
let made: MadeCalibration

beforeAll(() => {
  made = makeCalibration(SITE)
})

describe('a calibration', () => {
  it("has a table that rises through the contract's thresholds", () => {
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

  it('is the same for the same people', () => {
    expect(makeCalibration(SITE)).toEqual(made)
  })

  it('keeps the promised false match rates on people that it has not seen, and finds more than cosines do', () => {
    const { pack, site } = gainOf(SITE, STANDARD.embedder.calibration.default)!
    const shares = Object.fromEntries(site.named.map(({ name, falseMatches }) => [name, falseMatches]))
    expect(shares.strict).toBeLessThan(2e-5)
    expect(shares.medium).toBeLessThan(1.5e-3)
    expect(shares.low).toBeLessThan(1.2e-1)
    // These are no faces: the pack's table, which was measured on faces, promises too much of them.
    expect(pack.named.at(-1)!.falseMatches).toBeGreaterThan(1e-3)
    expect(site.at.at(-1)!.trueMatches).toBeGreaterThan(pack.at.at(-1)!.trueMatches + 0.1)
  })

  it('takes pictures that are there twice, and names that are misspelt, for one person', () => {
    const twice = SITE.slice(0, 12).map(([, second]) => [second!])
    const { merged, table } = makeCalibration([...SITE, ...twice])
    expect(merged).toBe(12)
    expect(table[3]![0]).toBeCloseTo(made.table[3]![0], 0)
  })

  it('is not ruined by one in a hundred who is there under two names', () => {
    const named = [...SITE.slice(10), ...SITE.slice(0, 10).flatMap(([a, b]) => [[a!], [b!]])]
    expect(makeCalibration(named).table[3]![0] - made.table[3]![0]).toBeLessThan(0.5)
  })
})

describe('a refusal', () => {
  it('meets too few people, and says how many are needed', () => {
    const few = SITE.slice(0, LIMITS.calibrationPeople - 1)
    expect(() => makeCalibration(few)).toThrow(CalibrationRefused)
    expect(() => makeCalibration(few)).toThrow('500 different people are needed')
    expect(() => makeCalibration(few)).toThrow('these are of 499.')
    expect(() => makeCalibration([])).toThrow(CalibrationRefused)
  })

  it('meets the pictures of few people under many names', () => {
    const [first, second] = SITE
    const same = Array.from({ length: 600 }, (_, i) => [(i % 2 === 0 ? first : second)![0]!])
    expect(() => makeCalibration(same)).toThrow(CalibrationRefused)
  })

  it('leaves the gain unmeasured where half of the people are too few', () => {
    expect(gainOf(SITE.slice(0, 900), STANDARD.embedder.calibration.default)).toBeUndefined()
  })
})

it('leaves people who look different as they are', () => {
  expect(mergeAlike(SITE.slice(0, 200))).toEqual(SITE.slice(0, 200))
})
