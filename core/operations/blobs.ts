/** Validates the blobs of a request against its header: their number and their sizes. */

import type { RpcRequest } from '../../contract/operations/messages.ts'
import type { ChipModel } from '../../models/manifest.ts'
import type { ShownFace } from '../embedding/estimator.ts'
import { layoutText } from '../embedding/label.ts'
import type { Pixels } from '../pictures/encode.ts'
import type { FacePixels } from './faces/enrol.ts'

/** Greatest side of a thumbnail in pixels. The edge makes much smaller ones. */
const THUMBNAIL_SIDE = 1_024

/** Size and face box of a thumbnail. */
type ThumbnailHeader = RpcRequest<'attributes'>['thumbnails'][number]

/** The blobs do not match the header. Edge and core have different versions. */
export class InvalidBlobs extends Error {
  override readonly name = 'InvalidBlobs'
}

/** All blobs as chips of this layout, 8-bit RGB. Throws InvalidBlobs. */
export function chipsOf({ size }: ChipModel, blobs: readonly Uint8Array[]): Uint8Array[] {
  for (const blob of blobs) requireMatch(blob.length === size * size * 3)
  return [...blobs]
}

/** The chips and, if emotions are requested, their thumbnails. The chips precede the thumbnails. Throws InvalidBlobs. */
export function shownFacesOf(
  kind: ChipModel,
  { asked, thumbnails }: RpcRequest<'attributes'>,
  blobs: readonly Uint8Array[],
): ShownFace[] {
  const count = asked.emotions ? blobs.length / 2 : blobs.length
  requireMatch(thumbnails.length === blobs.length - count)
  const chips = chipsOf(kind, blobs.slice(0, count))
  if (!asked.emotions) return chips.map(chip => ({ chip }))
  return chips.map((chip, i) => ({ chip, thumbnail: pixels(thumbnails[i]!, blobs[count + i]!) }))
}

/** Chip and thumbnail of each face. The blobs alternate: chip, thumbnail. Throws InvalidBlobs. */
export function facePixelsOf(
  kind: ChipModel,
  faces: readonly { thumbnail: ThumbnailHeader }[],
  blobs: readonly Uint8Array[],
): FacePixels[] {
  requireMatch(blobs.length === 2 * faces.length)
  return faces.map(({ thumbnail }, i) => ({
    chip: pixels({ width: kind.size, height: kind.size, layout: layoutText(kind) }, blobs[2 * i]!),
    thumbnail: pixels(thumbnail, blobs[2 * i + 1]!),
  }))
}

/** The only blob of a message. Throws InvalidBlobs. */
export function onlyBlob(blobs: readonly Uint8Array[]): Uint8Array {
  const [blob] = blobs
  if (!blob || blobs.length > 1) throw new InvalidBlobs()
  return blob
}

/** Combines the size from the header with the bytes. Throws InvalidBlobs when they do not match. */
function pixels<Size extends Omit<Pixels, 'data'>>(size: Size, data: Uint8Array): Size & Pixels {
  const { width, height } = size
  requireMatch(width >= 1 && width <= THUMBNAIL_SIDE && height >= 1 && height <= THUMBNAIL_SIDE)
  requireMatch(data.length === width * height * 3)
  return { ...size, data }
}

function requireMatch(holds: boolean) {
  if (!holds) throw new InvalidBlobs()
}
