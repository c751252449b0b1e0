/** A photo that kills a decoder. */

/** The JPEG with a table of codes that is none: libjpeg leaves by longjmp, and its instance is of no use after that. */
export function deadly(jpeg: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const killer = new Uint8Array(jpeg)
  const table = Buffer.from(killer).indexOf(Buffer.from([0xff, 0xc4]))
  killer.fill(0xff, table + 5, table + 21)
  return killer
}
