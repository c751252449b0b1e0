/** A photo that crashes a decoder. */

/** The JPEG with an invalid Huffman table. libjpeg exits by longjmp, and its instance is unusable afterwards. */
export function deadly(jpeg: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const killer = new Uint8Array(jpeg)
  const table = Buffer.from(killer).indexOf(Buffer.from([0xff, 0xc4]))
  killer.fill(0xff, table + 5, table + 21)
  return killer
}
