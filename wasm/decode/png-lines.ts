/** The lines of pixels in a PNG's data: their order, their position, and the inverse of their filters. */
import type { PngHeader } from './png-header.ts'

/** One line of pixels: `pixels` pixels of row y, starting at column x, `dx` columns apart. */
export interface Line {
  readonly x: number
  readonly dx: number
  readonly y: number
  readonly pixels: number
  /** True for the first line of a pass: its filters use zeros as the line above. */
  readonly first: boolean
}

/** An interlace pass: every dx-th pixel of every dy-th row, starting at x, y. */
interface Pass {
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
}

const ALL_AT_ONCE: readonly Pass[] = [{ x: 0, y: 0, dx: 1, dy: 1 }]

/** PNG specification, 8.2. */
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
]

/** Yields every line of the picture in file order. */
export function* linesOf({ width, height, interlaced }: PngHeader): Generator<Line> {
  for (const { x, y: top, dx, dy } of interlaced ? ADAM7 : ALL_AT_ONCE) {
    const pixels = Math.ceil((width - x) / dx)
    if (pixels <= 0) continue
    for (let y = top; y < height; y += dy) yield { x, dx, y, pixels, first: y === top }
  }
}

/** Bytes of a line with this many pixels, without its filter byte. */
export const lineLength = ({ bitDepth, colour }: PngHeader, pixels: number): number =>
  Math.ceil((pixels * colour.samples * bitDepth) / 8)

/**
 * Reverts the filter of one line in place (PNG specification, 9.2). `above` is the previous line without its filter,
 * or zeros for a first line. `reach` is the byte offset to the pixel on the left. Throws on an unknown filter.
 */
export function unfilter(filter: number, line: Uint8Array, above: Uint8Array, reach: number): void {
  if (filter === 0) return
  if (filter === 1) addLeft(line, reach)
  else if (filter === 2) addAbove(line, above)
  else if (filter === 3) addAverage(line, above, reach)
  else if (filter === 4) addPaeth(line, above, reach)
  else throw new Error('the PNG has a line with an unknown filter')
}

function addLeft(line: Uint8Array, reach: number): void {
  for (let i = reach; i < line.length; i++) line[i] = line[i]! + line[i - reach]!
}

function addAbove(line: Uint8Array, above: Uint8Array): void {
  for (let i = 0; i < line.length; i++) line[i] = line[i]! + above[i]!
}

function addAverage(line: Uint8Array, above: Uint8Array, reach: number): void {
  const start = Math.min(reach, line.length)
  for (let i = 0; i < start; i++) line[i] = line[i]! + (above[i]! >> 1)
  for (let i = start; i < line.length; i++) line[i] = line[i]! + ((line[i - reach]! + above[i]!) >> 1)
}

function addPaeth(line: Uint8Array, above: Uint8Array, reach: number): void {
  const start = Math.min(reach, line.length)
  for (let i = 0; i < start; i++) line[i] = line[i]! + above[i]!
  for (let i = start; i < line.length; i++) {
    const left = line[i - reach]!
    const up = above[i]!
    const corner = above[i - reach]!
    const fromLeft = Math.abs(up - corner)
    const fromUp = Math.abs(left - corner)
    const fromCorner = Math.abs(left + up - 2 * corner)
    const nearest = fromLeft <= fromUp && fromLeft <= fromCorner ? left : fromUp <= fromCorner ? up : corner
    line[i] = line[i]! + nearest
  }
}
