/** Calibration tables of packs, and the refusal of a missing table. */
import { type Calibration, CalibrationsSchema } from '#models/calibrations.ts'
import { STANDARD_PACK, tableOf } from '#models/packs.ts'

const TABLE: Calibration = [
  [0, 0],
  [0.5, 0.6],
  [1, 1],
]

it('CalibrationsSchema reads a single table as default, and tableOf refuses "alike" with advice', () => {
  const calibration = CalibrationsSchema.parse(TABLE)
  expect(calibration).toEqual({ default: TABLE })
  const pack = { ...STANDARD_PACK, embedder: { ...STANDARD_PACK.embedder, calibration } }
  expect(tableOf(pack, 'default')).toEqual(TABLE)
  expect(() => tableOf(pack, 'alike')).toThrow(/"standard" has no table "alike".*MIEN_CALIBRATION=default/)
})

it.each([
  ['a descending table', { default: TABLE.toReversed() }],
  ['a table with an unknown name', { default: TABLE, women: TABLE }],
])('CalibrationsSchema refuses %s', (_, calibrations) => {
  expect(CalibrationsSchema.safeParse(calibrations).success).toBe(false)
})
