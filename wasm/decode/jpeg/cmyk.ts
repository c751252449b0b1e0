/** Printers' colours to screens' colours, without a colour profile: near enough to see a face. */

/** Four bytes a pixel become three, in place: the answer is a view of the same memory. Inverted: 255 means no ink. */
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
