/** Reduces a picture row by row: each block of step x step pixels is averaged to one pixel. */
import type { Pace } from '../runtime/pace.ts'

/** How a photo is made smaller as it is decoded. */
export interface Reduction {
  /** Size of the raster, in pixels. */
  readonly width: number
  readonly height: number
  /** Side of a raster pixel in pixels of the file. The last column and row may cover less than a step. */
  readonly step: number
}

/** RGB, three bytes per pixel: a Raster of image.ts. */
interface Averages {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Grey level of blocks whose rows never arrive. libjpeg uses the same value. */
const MISSING = 128

/** Takes the rows of a picture from the top. Blocks at the right and bottom edges may be smaller. */
export class BoxAverage {
  readonly raster: Averages
  readonly #step: number
  readonly #source: { readonly width: number; readonly height: number }
  /** Sums of the current row of blocks. */
  readonly #sums: Uint32Array
  #y = 0

  constructor(source: { width: number; height: number }, { width, height, step }: Reduction) {
    this.raster = { data: new Uint8Array(width * height * 3).fill(MISSING), width, height }
    this.#step = step
    this.#source = source
    this.#sums = new Uint32Array(step === 1 ? 0 : width * 3)
  }

  /** Adds the RGB pixels of the next row, which start at byte `at`. */
  add(rgb: Uint8Array, at = 0): void {
    const { width, height } = this.#source
    const y = this.#y++
    if (this.#step === 1) {
      this.raster.data.set(rgb.subarray(at, at + width * 3), y * width * 3)
      return
    }
    this.#addBlocks(rgb, at, at + width * 3)
    const row = Math.trunc(y / this.#step)
    if (y + 1 === Math.min((row + 1) * this.#step, height)) this.#writeMeans(row)
  }

  #addBlocks(data: Uint8Array, at: number, rowEnd: number) {
    const sums = this.#sums
    for (let sum = 0, pixel = at; pixel < rowEnd; sum += 3) {
      const blockEnd = Math.min(pixel + this.#step * 3, rowEnd)
      let red = 0
      let green = 0
      let blue = 0
      for (; pixel < blockEnd; pixel += 3) {
        red += data[pixel]!
        green += data[pixel + 1]!
        blue += data[pixel + 2]!
      }
      sums[sum] = sums[sum]! + red
      sums[sum + 1] = sums[sum + 1]! + green
      sums[sum + 2] = sums[sum + 2]! + blue
    }
  }

  #writeMeans(row: number) {
    const { width, data } = this.raster
    const step = this.#step
    const rows = Math.min(step, this.#source.height - row * step)
    for (let column = 0; column < width; column++) {
      const pixels = rows * Math.min(step, this.#source.width - column * step)
      for (let at = 3 * column; at < 3 * column + 3; at++) {
        data[row * width * 3 + at] = this.#sums[at]! / pixels + 0.5
      }
    }
    this.#sums.fill(0)
  }
}

/** Rows processed without a pause, and microseconds per pixel. Measured. */
export const ROWS = 64
export const PIXEL_US = 0.01

/** Averages a picture whose rows `rowAt` returns as RGB, from the top. Pauses after every ROWS rows. */
export async function averageRows(
  { width, height }: { width: number; height: number },
  reduction: Reduction,
  rowAt: (y: number) => Uint8Array,
  pace: Pace,
): Promise<Averages> {
  const average = new BoxAverage({ width, height }, reduction)
  for (let y = 0; y < height; y++) {
    if (y % ROWS === 0) await pace(ROWS * width * PIXEL_US)
    average.add(rowAt(y))
  }
  return average.raster
}
