/** Reads the header of a WEBP file: size and coding of its first picture, and orientation. */
import { uint24, viewOf } from '../bytes.ts'
import { readOrientation } from '../jpeg/exif.ts'
import { brokenHeader } from '../refusal.ts'
import { firstPicture, RIFF_HEADER_LENGTH, riffChunks } from './webp-chunks.ts'

export interface WebpHeader {
  readonly format: 'webp'
  /** Bytes of the whole file. */
  readonly fileLength: number
  /** Size as stored, before orientation; for an animation the size of its canvas. */
  readonly width: number
  readonly height: number
  /** Position of the picture on the canvas; the whole canvas unless the file is animated. */
  readonly frame: Rectangle
  readonly orientation: number
  readonly coding: 'lossy' | 'lossy-alpha' | 'lossless'
  readonly animated: boolean
}

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Throws BAD_IMAGE when the file has no picture or a frame beyond its canvas, and a RangeError when the file ends too
 * early.
 */
export function readWebpHeader(bytes: Uint8Array): WebpHeader {
  const picture = firstPicture(bytes)
  if (!picture) throw brokenHeader()
  const lossless = picture.image.type === 'VP8L'
  const size = lossless ? losslessSize(picture.image.data) : lossySize(picture.image.data)
  let orientation: number | undefined
  let canvas: Size | undefined
  let animated = false
  for (const { type, data } of riffChunks(bytes, RIFF_HEADER_LENGTH)) {
    if (type === 'EXIF') orientation ??= readOrientation(data)
    if (type === 'VP8X') canvas ??= canvasSize(data)
    if (type === 'ANMF') animated = true
  }
  const frame = { x: picture.x, y: picture.y, ...size }
  const { width, height } = animated ? (canvas ?? size) : size
  if (frame.x + frame.width > width || frame.y + frame.height > height) throw brokenHeader()
  return {
    format: 'webp',
    fileLength: bytes.length,
    width,
    height,
    frame,
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

/** RFC 9649, 3.4: the signature 2f, then 14 bits each of width minus one and height minus one. */
function losslessSize(data: Uint8Array): Size {
  const view = viewOf(data)
  if (view.getUint8(0) !== 0x2f) throw brokenHeader()
  const bits = view.getUint32(1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** RFC 9649, 2.7: flags, then 24 bits each of width minus one and height minus one. */
function canvasSize(data: Uint8Array): Size {
  const view = viewOf(data)
  return { width: uint24(view, 4) + 1, height: uint24(view, 7) + 1 }
}
