/** Tiles: the rectangles of a photo that a network is shown, and where they lie. */
import type { Box } from '../../core/contract/model/bbox.ts'
import { centreOf } from '../imaging/geometry.ts'
import type { Affine, Photo } from '../imaging/image.ts'

/** Sides of tiles are multiples of this: the coarsest grid of the networks. Few shapes also keep the runtime's memory small. */
const STEP = 32

/** A rectangle of the photo as a network sees it. */
export interface Tile {
  /** In the network's pixels. */
  readonly width: number
  readonly height: number
  /** Tile -> upright photo. */
  readonly toUpright: Affine
}

/** Of a photo, upright, in its own pixels. */
export type Size = Pick<Photo, 'width' | 'height'>

/**
 * `pixel`, here and below, is the side of one of the network's pixels on the photo, in photo pixels: the one with which
 * `longerSide` of them show all of the photo, at least 1.
 */
export const pixelFor = ({ width, height }: Size, longerSide: number): number =>
  Math.max(1, Math.max(width, height) / longerSide)

/** The whole photo, in the middle of black; as a square of `side` if given. */
export function wholePhoto({ width, height }: Size, pixel: number, side?: number): Tile {
  const [across, down] = [side ?? roundedUp(width / pixel), side ?? roundedUp(height / pixel)]
  return tileAround(across, down, pixel, width / 2, height / 2)
}

/** Square tiles, each with the middle of a box in its own middle half; one tile serves boxes that are near each other. */
export function tilesAround(pixel: number, side: number, boxes: readonly Box[]): Tile[] {
  const reach = (side / 4) * pixel
  const centres: { x: number; y: number }[] = []
  for (const { x, y } of boxes.map(centreOf)) {
    const isShown = centres.some(centre => Math.abs(centre.x - x) <= reach && Math.abs(centre.y - y) <= reach)
    if (!isShown) centres.push({ x, y })
  }
  return centres.map(({ x, y }) => tileAround(side, side, pixel, x, y))
}

const roundedUp = (length: number): number => Math.max(1, Math.ceil(length / STEP - 1e-9)) * STEP

function tileAround(width: number, height: number, pixel: number, x: number, y: number): Tile {
  return { width, height, toUpright: [pixel, 0, x - (width / 2) * pixel, 0, pixel, y - (height / 2) * pixel] }
}

/** A box this near to a tile's edge, in the tile's pixels, may show only a part of a face. */
const NEAR_EDGE = 3

/** Does the box, in photo pixels, reach an edge of the tile beyond which the photo goes on? */
export function isCutOff(box: Box, photo: Size, { width, height, toUpright }: Tile): boolean {
  const [pixel, , left, , , top] = toUpright
  const near = NEAR_EDGE * pixel
  const [right, bottom] = [left + width * pixel, top + height * pixel]
  return (
    (left > 0 && box.x1 < left + near) ||
    (top > 0 && box.y1 < top + near) ||
    (right < photo.width && box.x2 > right - near) ||
    (bottom < photo.height && box.y2 > bottom - near)
  )
}
