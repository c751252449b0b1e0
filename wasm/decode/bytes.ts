/** Reads numbers and tags from a file through a DataView. Its RangeError is the bounds check of all header code. */

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The four ASCII characters of a chunk name at `at`; fewer at the end of the bytes. */
export const tagAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4))

/** The 24-bit little-endian number at `at`. */
export const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
