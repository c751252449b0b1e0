/** Points on a photo and affine maps between coordinate systems. */
import type { Box } from '../../contract/model/bbox.ts'

/** x' = a x + b y + c, y' = d x + e y + f */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export interface Size {
  readonly width: number
  readonly height: number
}

/** A point in continuous coordinates: the centre of the first pixel is (0.5, 0.5). */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The box of this size around its centre. */
export const boxAround = ({ x, y }: Point, width: number, height: number): Box => ({
  x1: x - width / 2,
  y1: y - height / 2,
  x2: x + width / 2,
  y2: y + height / 2,
})

/**
 * The upright box of a head of this size that is rolled by `roll` radians clockwise. Heads are round: the box of a head at 45
 * degrees is no larger.
 */
export function boxOfRolled(centre: Point, { width, height }: Size, roll: number): Box {
  const across = Math.cos(roll) ** 2
  return boxAround(centre, width * across + height * (1 - across), height * across + width * (1 - across))
}

/** The image of a point under the map. */
export const transformPoint = ([a, b, c, d, e, f]: Affine, { x, y }: Point): Point => ({
  x: a * x + b * y + c,
  y: d * x + e * y + f,
})

/** The image of a box under a map that scales, translates, mirrors and turns by quarters. */
export function transformBox(map: Affine, { x1, y1, x2, y2 }: Box): Box {
  const [from, to] = [transformPoint(map, { x: x1, y: y1 }), transformPoint(map, { x: x2, y: y2 })]
  return {
    x1: Math.min(from.x, to.x),
    y1: Math.min(from.y, to.y),
    x2: Math.max(from.x, to.x),
    y2: Math.max(from.y, to.y),
  }
}

/** The centre of a box. */
export const centreOf = ({ x1, y1, x2, y2 }: Box): Point => ({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 })

/** The centroid of points. */
export const mean = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

/** Clockwise angle of the vector `from` -> `to` against the x axis, in radians. */
export const clockwiseAngle = (from: Point, to: Point): number => Math.atan2(to.y - from.y, to.x - from.x)

/**
 * Maps a picture of `size` x `size` pixels to the square with side `side` around `centre`, rotated by `angle`
 * (radians, clockwise as seen; y points down).
 */
export function squareAt(centre: Point, side: number, angle: number, size: number): Affine {
  const cos = (Math.cos(angle) * side) / size
  const sin = (Math.sin(angle) * side) / size
  const half = size / 2
  return [cos, -sin, centre.x - (cos - sin) * half, sin, cos, centre.y - (sin + cos) * half]
}
