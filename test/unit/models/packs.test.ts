/** The pack of a data folder: the name of the start, else the recorded choice, else the standard pack; and its tables and promises. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Calibration, CalibrationsSchema } from '#models/calibrations.ts'
import { STANDARD } from '#models/manifest.ts'
import { CHOICE, chosenName, chosenPack, STANDARD_PACK, tableOf } from '#models/packs.ts'
import { temporaryFolder } from '../core/folder.ts'

let data = ''
beforeEach(async () => {
  data = await temporaryFolder()
})

const writeChoice = (text: string) => writeFile(join(data, CHOICE), text)

it('chosenName is standard for a new and for a missing folder', async () => {
  expect(await chosenName(data)).toBe('standard')
  expect(await chosenName(join(data, 'nowhere'))).toBe('standard')
})

it('chosenName prefers the name of the start, then the choice, also one of 0.2', async () => {
  await writeChoice('{"pack":"yunet","embedder":"mobilefacenet-160-e73b9794"}')
  expect(await chosenName(data)).toBe('yunet')
  expect(await chosenName(data, 'standard')).toBe('standard')
})

it('chosenName refuses a damaged choice', async () => {
  await writeChoice('{"pack":')
  await expect(chosenName(data)).rejects.toThrow('damaged')
})

it.each(['dlib', 'mobilefacenet'])(
  'chosenPack says what to run instead of the removed pack %s',
  async name => {
    await writeChoice(JSON.stringify({ pack: name }))
    for (const preferred of [undefined, name])
      await expect(chosenPack(data, preferred)).rejects.toThrow(
        `The pack "${name}" was removed: start without --pack and MIEN_PACK, and run "mien models reembed"`,
      )
  },
)

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

it('the standard pack keeps the promised false match rates: "default" for any two strangers, "alike" for similar ones', () => {
  const { measured } = STANDARD.embedder.calibration
  const promised = { low: 0.1, medium: 1e-3, strict: 1e-5 }
  for (const name of ['low', 'medium', 'strict'] as const) {
    expect(measured!.default[name].strangers).toBeLessThan(1.02 * promised[name])
    expect(measured!.alike![name].alike).toBeLessThan(1.02 * promised[name])
    expect(measured!.alike![name].same).toBeLessThan(measured!.default[name].same)
  }
})
