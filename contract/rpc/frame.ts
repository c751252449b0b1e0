/** Frames: the body of every message between edge and core, a JSON header followed by binary blobs. */

export const FRAME_TYPE = 'application/vnd.mien.frame'

/** A decoded frame. */
export interface Frame {
  header: unknown
  blobs: Uint8Array[]
}

/** Layout: u32 little-endian length of the prelude, prelude `{header, blobs: [lengths]}` as UTF-8 JSON, then the blobs. */
export function encodeFrame(header: unknown, blobs: readonly Uint8Array[] = []): Uint8Array<ArrayBuffer> {
  const prelude = new TextEncoder().encode(JSON.stringify({ header, blobs: blobs.map(blob => blob.length) }))
  const total = blobs.reduce((sum, blob) => sum + blob.length, 4 + prelude.length)
  const bytes = new Uint8Array(total)
  new DataView(bytes.buffer).setUint32(0, prelude.length, true)
  bytes.set(prelude, 4)
  let at = 4 + prelude.length
  for (const blob of blobs) {
    bytes.set(blob, at)
    at += blob.length
  }
  return bytes
}

/** Decodes a frame. The blobs are views of `bytes`. Throws a plain Error when the bytes are not a frame. */
export function decodeFrame(bytes: Uint8Array): Frame {
  if (bytes.length < 4) throw new Error('a frame has at least four bytes')
  const preludeLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  let at = 4 + preludeLength
  if (at > bytes.length) throw new Error('the frame is cut short')
  const prelude = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at))) as {
    header: unknown
    blobs: number[]
  }
  const blobs = prelude.blobs.map(length => {
    const blob = bytes.subarray(at, at + length)
    at += length
    return blob
  })
  if (at !== bytes.length) throw new Error('the lengths of the frame do not add up')
  return { header: prelude.header, blobs }
}
