/** The label of an embedder, which must not change while its vectors exist, and the text of a stored chip's layout. */
import fc from 'fast-check'
import { chipLabel, embedderLabel, layoutOf, layoutText } from '#core/embedding/label.ts'
import type { Calibration } from '#models/calibrations.ts'
import { type ChipModel, DLIB_CHIP, type EmbedderModel } from '#models/manifest.ts'
import { STANDARD_PACK } from '#models/packs.ts'

const { files } = STANDARD_PACK
const { chip, networks } = STANDARD_PACK.embedder
const network = { ...networks[0]!, weight: 1 }
const { file } = network

/** The embedder of 0.2. */
const embedder: EmbedderModel = { networks: [network], chip, metric: 'cosine', dimension: network.dimension }
const LABEL = 'mobilefacenet-160-e73b9794'

it('embedderLabel is unchanged for one network and for several', () => {
  expect(embedderLabel({ embedder, files })).toBe(LABEL)
  expect(embedderLabel(STANDARD_PACK)).toBe('mobilefacenet-mobilefacenet-lite-128-4615ddc6')
})

describe('embedderLabel of several networks', () => {
  const { embedder, files } = STANDARD_PACK
  const [first, second] = embedder.networks

  it.each([first!.file, second!.file, embedder.projection!.file])('changes with the hash of %s', name => {
    const changed = { ...files, [name]: { ...files[name]!, sha256: 'ab'.repeat(32) } }
    expect(embedderLabel({ embedder, files: changed })).not.toBe(embedderLabel(STANDARD_PACK))
  })

  it('changes with their order and their weights', () => {
    const label = (networks: typeof embedder.networks) =>
      embedderLabel({ embedder: { ...embedder, networks }, files })
    const labels = [
      [first!, second!],
      [second!, first!],
      [first!, { ...second!, weight: 1 }],
    ].map(label)
    expect(new Set(labels)).toHaveLength(3)
  })
})

it.each([
  ['the file of an operator', { files: { [file]: operatorFile('ab') } }],
  ['the margin of the chip', { embedder: { ...embedder, chip: { ...chip, margin: 8 } as ChipModel } }],
  ['the use of mirror images', { embedder: { ...embedder, networks: [{ ...network, mirrored: true }] } }],
])('embedderLabel changes with %s', (_, change) => {
  expect(embedderLabel({ embedder, files, ...change })).not.toBe(LABEL)
})

it('chipLabel is the label of 0.2 for the chips of the standard pack, and differs for other chips', () => {
  expect(chipLabel(STANDARD_PACK)).toBe(LABEL)
  const mine = { embedder: { ...embedder, dimension: 64 }, files }
  expect(chipLabel(mine)).toBe(embedderLabel(mine))
})

it('embedderLabel ignores the calibration and the path of the file', () => {
  const moved = { [file]: { ...files[file]!, path: '/elsewhere' } }
  const table: Calibration = [
    [0, 0],
    [1, 1],
  ]
  const measured = { ...embedder, calibration: { default: table } }
  expect(embedderLabel({ embedder: measured, files: moved })).toBe(LABEL)
})

const kinds: fc.Arbitrary<ChipModel> = fc.oneof(
  fc.record({
    template: fc.constant('dlib' as const),
    size: fc.integer({ min: 1, max: 999 }),
    padding: fc.integer({ min: 0, max: 200 }).map(percent => percent / 100),
  }),
  fc.record({
    template: fc.constant('arcface' as const),
    size: fc.integer({ min: 200, max: 999 }),
    margin: fc.nat(99),
  }),
)

it('layoutOf reads the text of layoutText back', () => {
  fc.assert(fc.property(kinds, kind => void expect(layoutOf(layoutText(kind))).toEqual(kind)))
})

it('layoutOf returns the dlib layout when a stored chip has no text', () => {
  expect(layoutOf(undefined)).toEqual(DLIB_CHIP)
})

it.each(['dlib', 'arcface 112 0.25', 'dlib -1 0.25', ' arcface 112'])(
  'layoutOf returns undefined for "%s"',
  text => expect(layoutOf(text)).toBeUndefined(),
)

function operatorFile(digits: string) {
  return { licence: 'mine', sha256: digits.repeat(32), bytes: 7, path: '/x' }
}
