/** Fills a raster line by line from a larger picture: each step x step block is averaged to one pixel. */
import { addBlocks, type Raster } from '../imaging/image.ts'
import type { Pace } from './pacing.ts'
import type { Line as PngLine } from './png/png-lines.ts'
import type { Reduction } from './reduction.ts'

/** Pixels of one row, starting at column x, `dx` columns apart. */
type Line = Omit<PngLine, 'first'>

/** Grey level of missing blocks. libjpeg uses the same value. */
const MISSING = 128

export class BoxAverage {
  readonly raster: Raster
  readonly #step: number
  readonly #source: { readonly width: number; readonly height: number }
  /** Sums of whole raster rows: one row for lines in top-down order, all rows for interlaced lines. */
  readonly #sums: Uint32Array
  readonly #fromTheTop: boolean

  constructor(
    source: { width: number; height: number; interlaced: boolean },
    { width, height, step }: Reduction,
  ) {
    this.raster = { data: new Uint8Array(width * height * 3).fill(MISSING), width, height }
    this.#step = step
    this.#source = source
    this.#fromTheTop = !source.interlaced
    const summedRows = source.interlaced ? height : 1
    this.#sums = new Uint32Array(step === 1 ? 0 : summedRows * width * 3)
  }

  /** Adds the RGB pixels of one line. Blocks whose last line never arrives stay grey. */
  place(line: Line, rgb: Uint8Array): void {
    if (this.#step === 1) {
      this.#copy(line, rgb)
      return
    }
    const row = Math.trunc(line.y / this.#step)
    this.#add(line, rgb, this.#fromTheTop ? 0 : row)
    const blockEnd = Math.min((row + 1) * this.#step, this.#source.height)
    if (this.#fromTheTop && line.y + 1 === blockEnd) this.#writeMeans(row, 0)
  }

  /**
   * Completes interlaced rasters. To be iterated after the last line. Yields the number of pixels of each finished
   * row.
   */
  *finish(): Generator<number> {
    if (this.#step === 1 || this.#fromTheTop) return
    for (let row = 0; row < this.raster.height; row++) {
      this.#writeMeans(row, row)
      yield this.raster.width
    }
  }

  #copy({ x, dx, y, pixels }: Line, rgb: Uint8Array): void {
    const start = (y * this.raster.width + x) * 3
    if (dx === 1) {
      this.raster.data.set(rgb.subarray(0, pixels * 3), start)
      return
    }
    for (let i = 0; i < pixels; i++) {
      this.raster.data.set(rgb.subarray(3 * i, 3 * i + 3), start + 3 * i * dx)
    }
  }

  #add({ x, dx, pixels }: Line, rgb: Uint8Array, summedRow: number): void {
    const sums = this.#sums
    const step = this.#step
    if (this.#fromTheTop) {
      addBlocks(sums, rgb, 0, pixels, step)
      return
    }
    const start = summedRow * this.raster.width
    for (let i = 0, column = x; i < 3 * pixels; i += 3, column += dx) {
      const at = (start + Math.trunc(column / step)) * 3
      sums[at] = sums[at]! + rgb[i]!
      sums[at + 1] = sums[at + 1]! + rgb[i + 1]!
      sums[at + 2] = sums[at + 2]! + rgb[i + 2]!
    }
  }

  /** Blocks at the right and bottom edges may be smaller. */
  #writeMeans(row: number, summedRow: number): void {
    const { width, data } = this.raster
    const step = this.#step
    const sums = this.#sums.subarray(summedRow * width * 3, (summedRow + 1) * width * 3)
    const rows = Math.min(step, this.#source.height - row * step)
    for (let column = 0; column < width; column++) {
      const pixels = rows * Math.min(step, this.#source.width - column * step)
      for (let at = 3 * column; at < 3 * column + 3; at++) {
        data[row * width * 3 + at] = sums[at]! / pixels + 0.5
      }
    }
    sums.fill(0)
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
): Promise<Raster> {
  const average = new BoxAverage({ width, height, interlaced: false }, reduction)
  for (let y = 0; y < height; y++) {
    if (y % ROWS === 0) await pace(ROWS * width * PIXEL_US)
    average.place({ x: 0, dx: 1, y, pixels: width }, rowAt(y))
  }
  return average.raster
}
