/** The byte blobs of a question: as many as its header promises, each of the size it must have. */
import type { Pixels } from '../pictures/encode.ts'
import type { FacePixels } from '../recognition/enrol.ts'

/** Side of a face chip in pixels; 8-bit RGB. */
const CHIP_SIDE = 150
const CHIP_BYTES = CHIP_SIDE * CHIP_SIDE * 3

/** Side of a thumbnail in pixels: far above what the edge makes, far below what could hurt. */
const THUMBNAIL_SIDE = 1_024

/** The header and the blobs of a message do not belong together: edge and core are not of one version. */
export class WrongBlobs extends Error {
  override readonly name = 'WrongBlobs'
}

/** Every blob as a chip. */
export function chipsOf(blobs: readonly Uint8Array[]): Uint8Array[] {
  for (const blob of blobs) demand(blob.length === CHIP_BYTES)
  return [...blobs]
}

/** A chip and a thumbnail for each face, in turn. */
export function facePixelsOf(
  faces: readonly { thumbnail: { width: number; height: number } }[],
  blobs: readonly Uint8Array[],
): FacePixels[] {
  demand(blobs.length === 2 * faces.length)
  return faces.map(({ thumbnail: { width, height } }, i) => ({
    chip: pixels(blobs[2 * i]!, CHIP_SIDE, CHIP_SIDE),
    thumbnail: pixels(blobs[2 * i + 1]!, width, height),
  }))
}

/** The one blob of a message. */
export function onlyBlob(blobs: readonly Uint8Array[]): Uint8Array {
  const [blob] = blobs
  if (!blob || blobs.length > 1) throw new WrongBlobs()
  return blob
}

function pixels(data: Uint8Array, width: number, height: number): Pixels {
  demand(width >= 1 && width <= THUMBNAIL_SIDE && height >= 1 && height <= THUMBNAIL_SIDE)
  demand(data.length === width * height * 3)
  return { data, width, height }
}

function demand(holds: boolean): void {
  if (!holds) throw new WrongBlobs()
}
