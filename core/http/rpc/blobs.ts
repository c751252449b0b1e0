/** The byte blobs of a question: as many as its header promises, each of the size it must have. */
import type { ChipModel } from '../../../models/manifest.ts'
import type { Question } from '../../contract/rpc/operations.ts'
import { layoutText } from '../../embedding/chip-layout.ts'
import type { ShownFace } from '../../embedding/estimator.ts'
import type { FacePixels } from '../../operations/enrol.ts'
import type { Pixels } from '../../pictures/encode.ts'

/** Side of a thumbnail in pixels: far above what the edge makes, far below what could hurt. */
const THUMBNAIL_SIDE = 1_024

/** A thumbnail without its pixels. */
type Outline = Question<'attributes'>['thumbnails'][number]

/** The header and the blobs of a message do not belong together: edge and core are not of one version. */
export class InvalidBlobs extends Error {
  override readonly name = 'InvalidBlobs'
}

/** Every blob as a chip of this kind: 8-bit RGB. */
export function chipsOf({ size }: ChipModel, blobs: readonly Uint8Array[]): Uint8Array[] {
  for (const blob of blobs) demand(blob.length === size * size * 3)
  return [...blobs]
}

/** The chips and, where emotions are asked for, as many thumbnails behind them. */
export function shownFacesOf(
  kind: ChipModel,
  { asked, thumbnails }: Question<'attributes'>,
  blobs: readonly Uint8Array[],
): ShownFace[] {
  const count = asked.emotions ? blobs.length / 2 : blobs.length
  demand(thumbnails.length === blobs.length - count)
  const chips = chipsOf(kind, blobs.slice(0, count))
  if (!asked.emotions) return chips.map(chip => ({ chip }))
  return chips.map((chip, i) => ({ chip, thumbnail: pixels(thumbnails[i]!, blobs[count + i]!) }))
}

/** A chip and a thumbnail for each face, in turn. */
export function facePixelsOf(
  kind: ChipModel,
  faces: readonly { thumbnail: Outline }[],
  blobs: readonly Uint8Array[],
): FacePixels[] {
  demand(blobs.length === 2 * faces.length)
  return faces.map(({ thumbnail }, i) => ({
    chip: pixels({ width: kind.size, height: kind.size, layout: layoutText(kind) }, blobs[2 * i]!),
    thumbnail: pixels(thumbnail, blobs[2 * i + 1]!),
  }))
}

/** The one blob of a message. */
export function onlyBlob(blobs: readonly Uint8Array[]): Uint8Array {
  const [blob] = blobs
  if (!blob || blobs.length > 1) throw new InvalidBlobs()
  return blob
}

/** The bytes under their header, which must be those of so large a picture. */
function pixels<Size extends Omit<Pixels, 'data'>>(size: Size, data: Uint8Array): Size & Pixels {
  const { width, height } = size
  demand(width >= 1 && width <= THUMBNAIL_SIDE && height >= 1 && height <= THUMBNAIL_SIDE)
  demand(data.length === width * height * 3)
  return { ...size, data }
}

function demand(holds: boolean): void {
  if (!holds) throw new InvalidBlobs()
}
