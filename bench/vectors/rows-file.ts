/** Synthetic faces in a file, for processes that should not hold what makes them. */
import { open } from 'node:fs/promises'
import { progress } from '../benchmark.ts'
import { syntheticFaces } from './synthetic.ts'

/** Rows that are read at once. */
const AT_ONCE = 1_000

/** Writes float32, row by row. */
export async function writeRows(path: string, dimension: number, count: number): Promise<void> {
  progress(`  ${count} faces x ${dimension} are being made`)
  const file = await open(path, 'w')
  try {
    for (const piece of syntheticFaces(dimension, count).rows()) await file.write(piece)
  } finally {
    await file.close()
  }
}

/** Pieces in the order of the rows; each is overwritten by the next one. */
export async function* readRows(path: string, dimension: number): AsyncGenerator<Float32Array> {
  const file = await open(path)
  try {
    const piece = new Float32Array(AT_ONCE * dimension)
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, piece.byteLength)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead / 4)
    }
  } finally {
    await file.close()
  }
}
