/** The name that stored vectors are known by: it must not change while vectors are kept under it. */
import { expect, it } from 'vitest'
import { embedderLabel } from '../../../../core/embedding/label.ts'
import type { Calibration } from '../../../../models/calibrations.ts'
import { DLIB_PACK, STANDARD_PACK } from '../../../../models/packs.ts'

const { embedder, files } = DLIB_PACK

it('is for the shipped packs what it was when the first faces were enrolled', () => {
  expect(embedderLabel(DLIB_PACK)).toBe('recognition-128-a60675b8')
  expect(embedderLabel(STANDARD_PACK)).toBe('mobilefacenet-160-e73b9794')
})

it('changes with every byte of a network that is projected: its numbers are those of the projection', () => {
  const { embedder, files } = STANDARD_PACK
  const other = { ...files[embedder.file]!, sha256: 'ab'.repeat(32) }
  expect(embedderLabel({ embedder, files: { [embedder.file]: other } })).not.toBe(
    embedderLabel(STANDARD_PACK),
  )
})

it.each([
  ['its weights come from another version', { files: changedFile({ version: '9.9.9' }) }],
  ['its file is another one of unknown making', { files: { [embedder.file]: own('ab') } }],
  ['its chip is cut otherwise', { embedder: { ...embedder, chip: { ...embedder.chip, padding: 0.3 } } }],
  ['its mean is another', { embedder: { ...embedder, input: { ...embedder.input, mean: triple(1) } } }],
  ['it does not look at mirror images', { embedder: { ...embedder, mirrored: false } }],
])('is another one when %s', (_, change) => {
  expect(embedderLabel({ embedder, files, ...change })).not.toBe(embedderLabel(DLIB_PACK))
})

it('tells files of unknown making apart by their bytes', () => {
  const labelOf = (digits: string) => embedderLabel({ embedder, files: { [embedder.file]: own(digits) } })
  expect(labelOf('ab')).toBe(labelOf('ab'))
  expect(labelOf('ab')).not.toBe(labelOf('cd'))
})

it('does not ask for the calibration, nor where a file lies', () => {
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

function own(digits: string) {
  return { licence: 'mine', sha256: digits.repeat(32), bytes: 7, path: '/x' }
}

function triple(value: number): [number, number, number] {
  return [value, value, value]
}
