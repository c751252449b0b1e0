/** Decodes PNGs line by line: inflates in pieces, and averages lines before the full picture exists. */
import { averageRows, BoxAverage, type Reduction } from '../imaging/box-average.ts'
import type { Raster } from '../imaging/image.ts'
import type { Pace } from '../runtime/pace.ts'
import { Inflate } from './inflate.ts'
import { brokenPixels } from './photo-file.ts'
import { type PngPalette, toRgbOf } from './png-colours.ts'
import { type PngHeader, pngChunks } from './png-header.ts'
import { type Line, lineLength, linesOf, unfilter } from './png-lines.ts'

/** Maximum microseconds to inflate one piece and process its lines. Measured. */
const PIECE_US = 600

/**
 * Decodes to the reduction's size. Inflates in small pieces and never more than the header declares. A file that ends
 * early is accepted when half of its lines are present; the rest is grey. An interlaced file must be complete,
 * because its early lines form a mosaic. Calls `pace` before each piece.
 */
export async function decodePng(
  bytes: Uint8Array,
  header: PngHeader,
  reduction: Reduction,
  pace: Pace,
): Promise<Raster> {
  if (!header.interlaced) {
    const average = new BoxAverage(header, reduction)
    await readLines(bytes, header, pace, (_, rgb) => average.add(rgb))
    return average.raster
  }
  const { width, height } = header
  const data = new Uint8Array(width * height * 3)
  await readLines(bytes, header, pace, (line, rgb) => spread(data, width, line, rgb))
  if (reduction.step === 1) return { data, width, height }
  return averageRows(header, reduction, y => data.subarray(3 * width * y, 3 * width * (y + 1)), pace)
}

/** Puts the pixels of an interlaced line in their places. */
function spread(data: Uint8Array, width: number, { x, dx, y, pixels }: Line, rgb: Uint8Array): void {
  for (let from = 0, to = 3 * (y * width + x); from < 3 * pixels; from += 3, to += 3 * dx) {
    data[to] = rgb[from]!
    data[to + 1] = rgb[from + 1]!
    data[to + 2] = rgb[from + 2]!
  }
}

type TakeLine = (line: Line, rgb: Uint8Array) => void

/** Passes each line on as RGB, in file order. Throws BAD_IMAGE when too many lines are missing. */
async function readLines(bytes: Uint8Array, header: PngHeader, pace: Pace, take: TakeLine): Promise<void> {
  const { compressed, palette } = partsOf(bytes)
  const lines = new LineReader(header, palette, take)
  let damage: unknown
  let inflate: Inflate | undefined
  /** Reads one more piece of lines. Returns false when no more can be read. */
  const readPiece = (): boolean => {
    try {
      inflate ??= new Inflate(compressed)
      const piece = inflate.next()
      if (piece) lines.read(piece)
      return piece !== undefined && !lines.done
    } catch (error) {
      damage = error
      return false
    }
  }
  while (readPiece()) await pace(PIECE_US)
  const needed = header.interlaced ? Number.POSITIVE_INFINITY : header.height / 2
  if (!lines.done && lines.count < needed) throw brokenPixels(damage)
}

interface PngParts {
  readonly compressed: Uint8Array[]
  readonly palette: PngPalette
}

function partsOf(bytes: Uint8Array): PngParts {
  const compressed: Uint8Array[] = []
  let colours = new Uint8Array()
  let transparency = new Uint8Array()
  for (const { type, data } of pngChunks(bytes)) {
    if (type === 'IDAT') compressed.push(data)
    if (type === 'PLTE') colours = new Uint8Array(data)
    if (type === 'tRNS') transparency = new Uint8Array(data)
  }
  return { compressed, palette: { colours, transparency } }
}

/** Splits inflated pieces into lines, reverts their filters, and passes them on as RGB. */
class LineReader {
  /** Number of lines read. */
  count = 0
  readonly #header: PngHeader
  readonly #toRgb: (line: Uint8Array, pixels: number) => Uint8Array
  readonly #take: TakeLine
  readonly #lines: ReturnType<typeof linesOf>
  /** Byte offset from a sample to the same sample of the pixel on its left, as filters count. */
  readonly #reach: number
  #line: ReturnType<ReturnType<typeof linesOf>['next']>
  /** Filter byte and samples of the current line, and those of the line before. */
  #current: Uint8Array
  #above: Uint8Array
  #filled = 0

  constructor(header: PngHeader, palette: PngPalette, take: TakeLine) {
    this.#header = header
    this.#toRgb = toRgbOf(header, palette)
    this.#take = take
    this.#lines = linesOf(header)
    this.#reach = Math.max(1, (header.colour.samples * header.bitDepth) / 8)
    this.#line = this.#lines.next()
    this.#current = new Uint8Array(1 + lineLength(header, header.width))
    this.#above = new Uint8Array(this.#current.length)
  }

  get done(): boolean {
    return this.#line.done === true
  }

  read(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && !this.#line.done; ) {
      const needed = 1 + lineLength(this.#header, this.#line.value.pixels)
      const taken = piece.subarray(at, at + needed - this.#filled)
      this.#current.set(taken, this.#filled)
      this.#filled += taken.length
      at += taken.length
      if (this.#filled === needed) this.#finishLine(needed)
    }
  }

  #finishLine(length: number): void {
    const line = this.#line.value
    if (!line) return
    const samples = this.#current.subarray(1, length)
    if (line.first) this.#above.fill(0)
    unfilter(this.#current[0]!, samples, this.#above.subarray(1, length), this.#reach)
    this.#take(line, this.#toRgb(samples, line.pixels))
    const done = this.#current
    this.#current = this.#above
    this.#above = done
    this.#filled = 0
    this.count++
    this.#line = this.#lines.next()
  }
}
