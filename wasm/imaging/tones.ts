/** How light, how rich in contrast and how sharp the middle of a square picture is. */

/** All 0..1. */
export interface Tones {
  /** Mean lightness. */
  readonly brightness: number
  /** Standard deviation of the lightness. */
  readonly contrast: number
  /** The share of the differences between neighbouring pixels that blurring takes away. */
  readonly sharpness: number
}

/** Left out on each side, in parts of the picture: on a chip the margin around the face, where the photo may end. */
const MARGIN = 1 / 6

/** Pixels of the mean that blurs, along one axis, and those of them before its middle. */
const BLUR = 9
const HALF_BLUR = 4

/** Lightness 0..255 of square pixels, rows from the top. */
interface Plane {
  readonly data: Float32Array
  readonly side: number
}

/** Of an RGB picture, `side` pixels a side. */
export function tonesOf(pixels: Uint8Array, side: number): Tones {
  const plane = lightness(pixels, side)
  const mean = average(plane.data)
  const variance = average(plane.data.map(value => (value - mean) ** 2))
  return {
    brightness: mean / 255,
    contrast: Math.sqrt(variance) / 255,
    sharpness: Math.min(detail(plane, 1, plane.side), detail(plane, plane.side, 1)),
  }
}

/** What is within the margins, as ITU-R BT.601 weighs the colours. */
function lightness(pixels: Uint8Array, side: number): Plane {
  const first = Math.round(side * MARGIN)
  const inner = side - 2 * first
  const data = new Float32Array(inner * inner)
  for (let row = 0, at = 0; row < inner; row++) {
    let pixel = ((first + row) * side + first) * 3
    for (let column = 0; column < inner; column++, pixel += 3) {
      data[at++] = 0.299 * pixels[pixel]! + 0.587 * pixels[pixel + 1]! + 0.114 * pixels[pixel + 2]!
    }
  }
  return { data, side: inner }
}

const average = (values: Float32Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The share of the differences along one axis that a blur takes away: fine detail loses nearly all of them, what is
 * blurred already little. `along` and `across` are the steps to the next pixel of a line and to the next line.
 * Source: Crete, Dolmiere, Ladret and Nicolas, The blur effect (2007), whose measure this is, counted from the other end.
 */
function detail({ data, side }: Plane, along: number, across: number): number {
  let before = 0
  let lost = 0
  for (let line = 0; line < side; line++) {
    const start = line * across
    for (let i = BLUR; i < side; i++) {
      const entering = start + i * along
      const middle = entering - HALF_BLUR * along
      const difference = Math.abs(data[middle]! - data[middle - along]!)
      // The mean around the middle moves by what enters it and what leaves it.
      const blurred = Math.abs(data[entering]! - data[entering - BLUR * along]!) / BLUR
      before += difference
      lost += Math.max(0, difference - blurred)
    }
  }
  return before === 0 ? 0 : lost / before
}
