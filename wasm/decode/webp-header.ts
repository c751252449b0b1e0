/** Reads the header of a WEBP file (RIFF): size and coding of its first picture, and orientation. */
import type { Size } from '../imaging/geometry.ts'
import { brokenHeader, readOrientation, refuseParts, tagAt, uint24, viewOf } from './photo-file.ts'

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

interface Rectangle extends Size {
  readonly x: number
  readonly y: number
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

interface RiffChunk {
  readonly type: string
  /** Shorter than declared when the file ends. */
  readonly data: Uint8Array
  /** Type, length and data together. */
  readonly whole: Uint8Array
}

/** "RIFF", the length, "WEBP". */
export const RIFF_HEADER_LENGTH = 12

const CHUNK_HEADER_LENGTH = 8

/** RFC 9649, 2.7.1.1: position (halved), size (minus one) and duration of a frame, 24 bits each, and flags. */
const FRAME_HEADER_LENGTH = 16

/** Yields every chunk from offset `at`. Chunks are padded to an even length. Throws BAD_IMAGE for too many chunks. */
function* riffChunks(bytes: Uint8Array, at: number): Generator<RiffChunk> {
  const view = viewOf(bytes)
  let count = 0
  while (at + CHUNK_HEADER_LENGTH <= bytes.length) {
    refuseParts(++count)
    const length = view.getUint32(at + 4, true)
    const end = at + CHUNK_HEADER_LENGTH + length
    yield {
      type: tagAt(bytes, at),
      data: bytes.subarray(at + CHUNK_HEADER_LENGTH, end),
      whole: bytes.subarray(at, end),
    }
    at = end + (length % 2)
  }
}

/** A still picture: its bitstream, and the transparency chunk that a lossy picture may have. */
interface StillChunks {
  readonly image: RiffChunk
  readonly alpha: RiffChunk | undefined
}

/** A frame of an animation: its picture, and the position of its upper left corner on the canvas. */
interface Frame extends StillChunks {
  readonly x: number
  readonly y: number
}

/** The picture of a still file, or the first frame of an animation; undefined when there is none. */
export function firstPicture(bytes: Uint8Array): Frame | undefined {
  for (const { type, data } of riffChunks(bytes, RIFF_HEADER_LENGTH)) {
    if (type !== 'ANMF') continue
    const picture = stillAmong(riffChunks(data.subarray(FRAME_HEADER_LENGTH), 0))
    const view = viewOf(data)
    return picture && { ...picture, x: 2 * uint24(view, 0), y: 2 * uint24(view, 3) }
  }
  const picture = stillAmong(riffChunks(bytes, RIFF_HEADER_LENGTH))
  return picture && { ...picture, x: 0, y: 0 }
}

function stillAmong(chunks: Iterable<RiffChunk>): StillChunks | undefined {
  let alpha: RiffChunk | undefined
  for (const chunk of chunks) {
    if (chunk.type === 'ALPH') alpha = chunk
    if (chunk.type === 'VP8 ' || chunk.type === 'VP8L') return { image: chunk, alpha }
  }
  return undefined
}
