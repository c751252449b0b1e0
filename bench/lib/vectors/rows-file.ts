/** Synthetic faces in a file, for processes whose memory must not include the generator. */
import { open } from 'node:fs/promises'
import { progress } from '../../benchmark.ts'
import { syntheticFaces } from './synthetic.ts'

/** Rows per read. */
const AT_ONCE = 1_000

/** Writes float32 values, row by row. */
export async function writeRows(path: string, dimension: number, count: number): Promise<void> {
  progress(`  ${count} faces x ${dimension} are being made`)
  const file = await open(path, 'w')
  try {
    for (const piece of syntheticFaces(dimension, count).rows()) await file.write(piece)
  } finally {
    await file.close()
  }
}

/** Yields pieces in row order. The next piece overwrites the previous one. */
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
