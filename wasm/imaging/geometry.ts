/** Places on a photo and the maps that turn and scale them. */
import type { Box } from '../../core/contract/model/bbox.ts'
import type { Affine } from './image.ts'

/** A place in continuous coordinates: the centre of the first pixel is (0.5, 0.5). */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Where the map takes the point. */
export const moved = ([a, b, c, d, e, f]: Affine, { x, y }: Point): Point => ({
  x: a * x + b * y + c,
  y: d * x + e * y + f,
})

/** Where a map that scales, moves and may mirror left and right takes the box. */
export function movedBox(map: Affine, { x1, y1, x2, y2 }: Box): Box {
  const [from, to] = [moved(map, { x: x1, y: y1 }), moved(map, { x: x2, y: y2 })]
  return { x1: Math.min(from.x, to.x), y1: from.y, x2: Math.max(from.x, to.x), y2: to.y }
}

/** The middle of a box. */
export const centreOf = ({ x1, y1, x2, y2 }: Box): Point => ({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 })

/** The middle of some points. */
export const mean = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

/** How far the way from one point to another is turned clockwise against a level way to the right, in radians. */
export const clockwiseAngle = (from: Point, to: Point): number => Math.atan2(to.y - from.y, to.x - from.x)

/**
 * The map from a picture of `size` pixels square to the square of `side` pixels around `centre`, turned by `angle`
 * (radians, clockwise as seen, for y points down).
 */
export function squareAt(centre: Point, side: number, angle: number, size: number): Affine {
  const cos = (Math.cos(angle) * side) / size
  const sin = (Math.sin(angle) * side) / size
  const half = size / 2
  return [cos, -sin, centre.x - (cos - sin) * half, sin, cos, centre.y - (sin + cos) * half]
}
