/** Inflates a zlib stream (RFC 1950) in pieces of bounded time and memory. */
import { Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako'

/**
 * Bounds of a piece. The platform's DecompressionStream is faster, but workerd inflates all input before the first read, and
 * a file of 10 MB can inflate to 10 GB. The bound of the input counts when a stream has many empty blocks.
 */
const MOST_OUTPUT = 32_768
const MOST_INPUT = 4_096

/** A deflate stream without zlib's header and checksum, with the largest window. */
const RAW = -15
const HEADER_LENGTH = 2

export class Inflate {
  readonly #stream = new ZStream()
  readonly #end: number

  /** `pieces` are concatenated to the stream. Throws for a stream that is not zlib's, or needs a dictionary. */
  constructor(pieces: readonly Uint8Array[]) {
    this.#end = pieces.reduce((sum, { length }) => sum + length, 0)
    const input = new Uint8Array(this.#end)
    let at = 0
    for (const piece of pieces) {
      input.set(piece, at)
      at += piece.length
    }
    const header = ((input[0] ?? 0) << 8) | (input[1] ?? 0)
    if ((header & 0x0f20) !== 0x0800 || header % 31 !== 0) throw new Error('no zlib stream')
    zlibInflateInit2(this.#stream, RAW)
    Object.assign(this.#stream, { input, next_in: HEADER_LENGTH, output: new Uint8Array(MOST_OUTPUT) })
  }

  /**
   * The next bytes, which may be none. The next call overwrites the view. Returns undefined after the last byte. Throws when
   * the stream is damaged or ends too early, after the bytes before the damage were returned. Checksums are not verified.
   */
  next(): Uint8Array | undefined {
    const stream = this.#stream
    if (stream.avail_in === 0) stream.avail_in = Math.min(MOST_INPUT, this.#end - stream.next_in)
    stream.next_out = 0
    stream.avail_out = MOST_OUTPUT
    const status = zlibInflate(stream, Z_NO_FLUSH)
    const goesOn = status === Z_OK && stream.next_in < this.#end
    if (stream.next_out > 0 || goesOn) return stream.output.subarray(0, stream.next_out)
    if (status === Z_STREAM_END) return undefined
    throw new Error('the stream is damaged or cut off')
  }
}
