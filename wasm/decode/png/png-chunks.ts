/**
 * Iterates over the chunks of a PNG file. Checksums are not verified: like a JPEG, a photo with some wrong pixels is
 * accepted.
 */
import { tagAt, viewOf } from '../bytes.ts'
import { refuseParts } from '../refusal.ts'

export interface Chunk {
  readonly type: string
  /** Shorter than declared when the file ends. */
  readonly data: Uint8Array
}

const SIGNATURE_LENGTH = 8

/** A chunk has length, type, data and checksum. The length counts the data only. */
const BEFORE_DATA = 8
const AROUND_DATA = 12

/** Yields every chunk up to IEND or the end of the bytes. Throws BAD_IMAGE for too many chunks. */
export function* pngChunks(bytes: Uint8Array): Generator<Chunk> {
  const view = viewOf(bytes)
  let at = SIGNATURE_LENGTH
  let count = 0
  while (at + BEFORE_DATA <= bytes.length) {
    const length = view.getUint32(at)
    const type = tagAt(bytes, at + 4)
    if (type === 'IEND') return
    refuseParts(++count)
    yield { type, data: bytes.subarray(at + BEFORE_DATA, at + BEFORE_DATA + length) }
    at += AROUND_DATA + length
  }
}
