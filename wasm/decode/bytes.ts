/** Reading numbers and names out of a file: a DataView, whose RangeError is the bounds check of all header code. */

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The four ASCII characters at `at`, as chunks are named; fewer where the bytes end. */
export const tagAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4))

/** 24 bits at `at`, the lowest first. */
export const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
