/** The lines of pixels in a PNG's data: in which order they come, where they belong, and how filtering is undone. */
import type { PngHeader } from './png-header.ts'

/** One line of pixels: `pixels` of them, from column x on, each `dx` columns after the one before, all in row y. */
export interface Line {
  readonly x: number
  readonly dx: number
  readonly y: number
  readonly pixels: number
  /** The filters of this line look at no line above it. */
  readonly first: boolean
}

/** A pass over the picture: every dx-th pixel of every dy-th row, from x, y on. */
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

/** Every line of the picture, in the order of the file. */
export function* linesOf({ width, height, interlaced }: PngHeader): Generator<Line> {
  for (const { x, y: top, dx, dy } of interlaced ? ADAM7 : ALL_AT_ONCE) {
    const pixels = Math.ceil((width - x) / dx)
    if (pixels <= 0) continue
    for (let y = top; y < height; y += dy) yield { x, dx, y, pixels, first: y === top }
  }
}

/** Bytes of a line of so many pixels, without its filter byte. */
export const lineLength = ({ bitDepth, colour }: PngHeader, pixels: number): number =>
  Math.ceil((pixels * colour.samples * bitDepth) / 8)

/**
 * Undoes the filter of one line, in place (PNG specification, 9.2). `above` is the line before it, without its filter;
 * all zeros for a first line. `reach` is how many bytes back the pixel to the left lies. Throws on an unknown filter.
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
