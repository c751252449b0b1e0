/** Iterates over the chunks of a WEBP file (RIFF), and finds the picture to decode. */
import { tagAt, uint24, viewOf } from '../bytes.ts'
import { refuseParts } from '../refusal.ts'

export interface RiffChunk {
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
export function* riffChunks(bytes: Uint8Array, at: number): Generator<RiffChunk> {
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
export interface StillChunks {
  readonly image: RiffChunk
  readonly alpha: RiffChunk | undefined
}

/** A frame of an animation: its picture, and the position of its upper left corner on the canvas. */
export interface Frame extends StillChunks {
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
