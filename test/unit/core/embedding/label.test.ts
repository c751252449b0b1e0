/** The label of an embedder, which must not change while its vectors exist, and the text of a stored chip's layout. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { embedderLabel, layoutOf, layoutText } from '#core/embedding/label.ts'
import type { Calibration } from '#models/calibrations.ts'
import { type ChipModel, DLIB_CHIP } from '#models/manifest.ts'
import { DLIB_PACK, STANDARD_PACK } from '#models/packs.ts'

const { embedder, files } = DLIB_PACK

it('embedderLabel is unchanged for the shipped packs', () => {
  expect(embedderLabel(DLIB_PACK)).toBe('recognition-128-a60675b8')
  expect(embedderLabel(STANDARD_PACK)).toBe('mobilefacenet-160-e73b9794')
})

it('embedderLabel changes with the hash of a projected network', () => {
  const { embedder, files } = STANDARD_PACK
  const other = { ...files[embedder.file]!, sha256: 'ab'.repeat(32) }
  expect(embedderLabel({ embedder, files: { [embedder.file]: other } })).not.toBe(
    embedderLabel(STANDARD_PACK),
  )
})

it.each([
  ['the version of the weights', { files: changedFile({ version: '9.9.9' }) }],
  ['the file of an operator', { files: { [embedder.file]: operatorFile('ab') } }],
  ['the padding of the chip', { embedder: { ...embedder, chip: { ...embedder.chip, padding: 0.3 } } }],
  ['the use of mirror images', { embedder: { ...embedder, mirrored: false } }],
])('embedderLabel changes with %s', (_, change) => {
  expect(embedderLabel({ embedder, files, ...change })).not.toBe(embedderLabel(DLIB_PACK))
})

it('embedderLabel ignores the calibration and the path of the file', () => {
  const moved = { [embedder.file]: { ...files[embedder.file]!, path: '/elsewhere' } }
  const table: Calibration = [
    [0, 0],
    [1, 1],
  ]
  const measured = { ...embedder, calibration: { default: table } }
  expect(embedderLabel({ embedder: measured, files: moved })).toBe(embedderLabel(DLIB_PACK))
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

function changedFile(change: { version: string }) {
  return { [embedder.file]: { ...files[embedder.file]!, ...change } as (typeof files)[string] }
}

function operatorFile(digits: string) {
  return { licence: 'mine', sha256: digits.repeat(32), bytes: 7, path: '/x' }
}
