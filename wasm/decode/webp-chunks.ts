/** The chunks of a WEBP file (RIFF), and the one picture in them that is decoded. */
import { tagAt, viewOf } from './bytes.ts'

export interface RiffChunk {
  readonly type: string
  /** Shorter than promised where the file ends. */
  readonly data: Uint8Array
  /** Type, length and data together. */
  readonly whole: Uint8Array
}

/** "RIFF", the length, "WEBP". */
export const RIFF_HEADER_LENGTH = 12

const CHUNK_HEADER_LENGTH = 8

/** Six 24-bit or 8-bit numbers that stand before the picture in a frame of an animation. */
const FRAME_HEADER_LENGTH = 16

/** Every chunk from `at` on. Chunks are padded to an even length. */
export function* riffChunks(bytes: Uint8Array, at: number): Generator<RiffChunk> {
  const view = viewOf(bytes)
  while (at + CHUNK_HEADER_LENGTH <= bytes.length) {
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

/** A still picture: its bitstream, and the chunk of transparency that may go with a lossy one. */
export interface StillChunks {
  readonly image: RiffChunk
  readonly alpha: RiffChunk | undefined
}

/** The picture of a still file or the first frame of an animation; undefined when there is none. */
export function firstPicture(bytes: Uint8Array): StillChunks | undefined {
  for (const { type, data } of riffChunks(bytes, RIFF_HEADER_LENGTH)) {
    if (type === 'ANMF') return stillAmong(riffChunks(data.subarray(FRAME_HEADER_LENGTH), 0))
  }
  return stillAmong(riffChunks(bytes, RIFF_HEADER_LENGTH))
}

function stillAmong(chunks: Iterable<RiffChunk>): StillChunks | undefined {
  let alpha: RiffChunk | undefined
  for (const chunk of chunks) {
    if (chunk.type === 'ALPH') alpha = chunk
    if (chunk.type === 'VP8 ' || chunk.type === 'VP8L') return { image: chunk, alpha }
  }
  return undefined
}
