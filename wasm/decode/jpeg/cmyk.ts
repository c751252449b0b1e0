/** Converts CMYK to RGB without a colour profile. The precision is enough for faces. */

/**
 * Converts four bytes per pixel to three, in place. Returns a view of the same memory. `inverted`: 255 means no ink.
 */
export function cmykToRgb(cmyk: Uint8Array, inverted: boolean): Uint8Array {
  const flip = inverted ? 0 : 255
  let to = 0
  for (let from = 0; from < cmyk.length; from += 4, to += 3) {
    const light = cmyk[from + 3]! ^ flip
    cmyk[to] = ((cmyk[from]! ^ flip) * light) / 255 + 0.5
    cmyk[to + 1] = ((cmyk[from + 1]! ^ flip) * light) / 255 + 0.5
    cmyk[to + 2] = ((cmyk[from + 2]! ^ flip) * light) / 255 + 0.5
  }
  return cmyk.subarray(0, to)
}
