/** The tables of packs: which of them a pack has, and what happens where one is missing. */
import { expect, it } from 'vitest'
import { type Calibration, CalibrationsSchema } from '../../../models/calibrations.ts'
import { DLIB_PACK, requireUsable, STANDARD_PACK, tableOf } from '../../../models/packs.ts'

const TABLE: Calibration = [
  [0, 0],
  [0.5, 0.6],
  [1, 1],
]

it('has both of the standard pack, and the stricter one is the one of strangers who are alike', () => {
  const pack = requireUsable(STANDARD_PACK)
  const [any, alike] = [tableOf(pack, 'default'), tableOf(pack, 'alike')]
  for (const row of [1, 2, 3]) {
    expect(alike[row]![1]).toBe(any[row]![1])
    expect(alike[row]![0]).toBeGreaterThan(any[row]![0])
  }
})

it('takes a lone table for the default one, and refuses the other in words that say what to do', () => {
  const calibration = CalibrationsSchema.parse(TABLE)
  expect(calibration).toEqual({ default: TABLE })
  const pack = { ...requireUsable(DLIB_PACK), embedder: { ...DLIB_PACK.embedder, calibration } }
  expect(tableOf(pack, 'default')).toEqual(TABLE)
  expect(() => tableOf(pack, 'alike')).toThrow(/"dlib" has no table "alike".*MIEN_CALIBRATION=default/)
})

it('reads what it writes', () => {
  const { calibration } = STANDARD_PACK.embedder
  expect(CalibrationsSchema.parse(JSON.parse(JSON.stringify(calibration)))).toEqual(calibration)
})

it.each([
  ['no default', { alike: TABLE }],
  ['a table that falls', { default: TABLE.toReversed() }],
  ['a table of another name', { default: TABLE, women: TABLE }],
])('refuses %s', (_, calibrations) => {
  expect(CalibrationsSchema.safeParse(calibrations).success).toBe(false)
})
