/** The pyramid of reduced pictures that P-Net scans, and its cells as boxes on the photo. */
import type { Box } from '../../../contract/model/bbox.ts'
import type { Size } from '../../imaging/geometry.ts'
import type { Photo } from '../../imaging/orientation.ts'
import { warpSmoothly } from '../../imaging/views.ts'
import { type Detection, logOdds, probability } from '../detection.ts'
import { roundUp } from '../tiling.ts'

/** Side of the picture that one cell sees, and the distance of neighbouring cells, in pixels. */
export const CELL_PX = 12
const CELL_STRIDE = 2

/** Ratio of neighbouring levels: two levels halve the picture. */
const RATIO = Math.SQRT1_2

/** Sides of levels are multiples of this: few distinct shapes keep the runtime's memory small. */
const STEP = 16

/**
 * Scales of the levels in descending order. The first level shows a face of `leastFace` photo pixels in one cell. On photos whose
 * levels would have more than `pixels` pixels in total, it shows a larger face. The last level shows the whole photo in one cell.
 */
export function pyramidScales({ width, height }: Size, leastFace: number, pixels: number): number[] {
  const largest = Math.min(CELL_PX / leastFace, Math.sqrt((pixels * (1 - RATIO ** 2)) / (width * height)))
  const levels =
    1 + Math.floor(Math.log(CELL_PX / Math.min(width, height) / largest) / Math.log(RATIO) + 1e-9)
  return Array.from({ length: Math.max(0, levels) }, (_, level) => largest * RATIO ** level)
}

/** Rows of a level. */
interface Band extends Size {
  readonly pixels: Uint8Array
  /** Row of the level at which the band begins. */
  readonly top: number
  /** Level pixels per photo pixel. */
  readonly scale: number
}

/** Pixels of a band at most, unless it has BAND_ROWS rows. Making the band and running P-Net take about 12 ms. */
const BAND_PIXELS = 36_864
const BAND_ROWS = 48

/** Rows that neighbouring bands share: a cell on their border is in one of them. */
const SHARED_ROWS = CELL_PX - CELL_STRIDE

/** The bands of each level. */
export function* pyramidBands(photo: Photo, scales: readonly number[]): Generator<Band[]> {
  for (const scale of scales) {
    const [width, height] = [roundUp(photo.width * scale, STEP), roundUp(photo.height * scale, STEP)]
    const pixels = warpSmoothly(photo, [1 / scale, 0, 0, 0, 1 / scale, 0], width, height)
    const rows = Math.min(height, Math.max(BAND_ROWS, Math.floor(BAND_PIXELS / width / STEP) * STEP))
    const count = 1 + Math.ceil((height - rows) / (rows - SHARED_ROWS))
    yield Array.from({ length: count }, (_, band) => {
      const top = Math.min(band * (rows - SHARED_ROWS), height - rows)
      return {
        pixels: pixels.subarray(3 * width * top, 3 * width * (top + rows)),
        width,
        height: rows,
        top,
        scale,
      }
    })
  }
}

/** P-Net's detections of at least this score on a band, in photo pixels, several per face. */
export function readProposals(
  { scores, boxes }: Readonly<Record<string, Float32Array>>,
  { width, top, scale }: Band,
  leastScore: number,
): Detection[] {
  const columns = (width - CELL_PX) / CELL_STRIDE + 1
  const leastLogit = logOdds(leastScore)
  const found: Detection[] = []
  for (const [cell, logit] of scores!.entries()) {
    if (logit < leastLogit) continue
    const x = (cell % columns) * CELL_STRIDE
    const y = Math.floor(cell / columns) * CELL_STRIDE + top
    const square = { x1: x / scale, y1: y / scale, x2: (x + CELL_PX) / scale, y2: (y + CELL_PX) / scale }
    const moves = [0, 1, 2, 3].map(value => boxes![value * scores!.length + cell]!)
    found.push({ score: probability(logit), box: movedBox(square, moves) })
  }
  return found
}

/** Moves the sides of a square by parts of its side: left, top, right, bottom. */
export function movedBox({ x1, y1, x2, y2 }: Box, moves: ArrayLike<number>): Box {
  const side = x2 - x1
  return {
    x1: x1 + moves[0]! * side,
    y1: y1 + moves[1]! * side,
    x2: x2 + moves[2]! * side,
    y2: y2 + moves[3]! * side,
  }
}
