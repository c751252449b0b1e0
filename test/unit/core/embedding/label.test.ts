/** The label of an embedder, which names stored vectors. It must not change while such vectors exist. */
import { expect, it } from 'vitest'
import { embedderLabel } from '#core/embedding/label.ts'
import type { Calibration } from '#models/calibrations.ts'
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

function changedFile(change: { version: string }) {
  return { [embedder.file]: { ...files[embedder.file]!, ...change } as (typeof files)[string] }
}

function operatorFile(digits: string) {
  return { licence: 'mine', sha256: digits.repeat(32), bytes: 7, path: '/x' }
}
