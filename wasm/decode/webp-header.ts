/** The head of a WEBP file: the size of its first picture, how that is coded, and which way up. */
import { viewOf } from './bytes.ts'
import { readOrientation } from './exif.ts'
import { brokenHeader } from './refusal.ts'
import { firstPicture, RIFF_HEADER_LENGTH, riffChunks } from './webp-chunks.ts'

export interface WebpHeader {
  readonly format: 'webp'
  /** Bytes of the whole file. */
  readonly fileLength: number
  /** As the file stores it, before orientation; of an animation, its first frame's. */
  readonly width: number
  readonly height: number
  readonly orientation: number
  readonly coding: 'lossy' | 'lossy-alpha' | 'lossless'
  readonly animated: boolean
}

/** Throws BAD_IMAGE when there is no picture in it, and a RangeError where the file ends too early. */
export function readWebpHeader(bytes: Uint8Array): WebpHeader {
  const picture = firstPicture(bytes)
  if (!picture) throw brokenHeader()
  const lossless = picture.image.type === 'VP8L'
  let orientation: number | undefined
  let animated = false
  for (const { type, data } of riffChunks(bytes, RIFF_HEADER_LENGTH)) {
    if (type === 'EXIF') orientation ??= readOrientation(data)
    if (type === 'ANMF') animated = true
  }
  return {
    format: 'webp',
    fileLength: bytes.length,
    ...(lossless ? losslessSize(picture.image.data) : lossySize(picture.image.data)),
    orientation: orientation ?? 1,
    coding: lossless ? 'lossless' : picture.alpha ? 'lossy-alpha' : 'lossy',
    animated,
  }
}

interface Size {
  width: number
  height: number
}

/** RFC 6386, 9.1: three bytes of frame tag, the start code 9d 01 2a, then 14 bits each of width and height. */
function lossySize(data: Uint8Array): Size {
  const view = viewOf(data)
  const isKeyFrame = (view.getUint8(0) & 1) === 0
  const startsRight = view.getUint16(3) === 0x9d01 && view.getUint8(5) === 0x2a
  if (!isKeyFrame || !startsRight) throw brokenHeader()
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff }
}

/** RFC 9649, 3.4: the signature 2f, then 14 bits each of width less one and height less one. */
function losslessSize(data: Uint8Array): Size {
  const view = viewOf(data)
  if (view.getUint8(0) !== 0x2f) throw brokenHeader()
  const bits = view.getUint32(1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
