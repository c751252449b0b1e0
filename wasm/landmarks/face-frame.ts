/**
 * Converts between the two frames of a face: the reported box from chin to forehead, and the square from chin to
 * brow.
 */
import { type Box, height, width } from '../../contract/model/bbox.ts'
import type { Point } from '../imaging/geometry.ts'

/**
 * The box of an upright head in sides of the square: its width, its height, and the height of its centre above the
 * square's.
 * Source: BlazeFace's squares compared with the boxes that human annotators draw around the same faces.
 */
const WIDE = 0.92
const HIGH = 1.2
const UP = 0.08

/** Part above the brow, as a fraction of the box's height minus its width. */
const ABOVE_BROW = UP / (HIGH - WIDE)

/** The box for BlazeFace's square. `roll` is the clockwise rotation of the face, in radians. */
export function withForehead(square: Box, roll: number): Box {
  const [sin, cos] = [Math.sin(roll), Math.cos(roll)]
  const side = (width(square) + height(square)) / 2
  const [x, y] = [
    (square.x1 + square.x2) / 2 + UP * side * sin,
    (square.y1 + square.y2) / 2 - UP * side * cos,
  ]
  const across = (width(square) * (WIDE * cos * cos + HIGH * sin * sin)) / 2
  const down = (height(square) * (HIGH * cos * cos + WIDE * sin * sin)) / 2
  return { x1: x - across, y1: y - down, x2: x + across, y2: y + down }
}

/**
 * The square from chin to brow in a face's box. Without a roll, the box may come from any source: if its height does
 * not exceed its width, it contains no forehead.
 */
export function browToChin(box: Box, roll?: number): { centre: Point; side: number } {
  const forehead =
    roll === undefined
      ? ABOVE_BROW * Math.max(0, height(box) - width(box))
      : (UP * (width(box) + height(box))) / (WIDE + HIGH)
  const side = roll === undefined ? width(box) + forehead : forehead / UP
  const centre = {
    x: (box.x1 + box.x2) / 2 - forehead * Math.sin(roll ?? 0),
    y: (box.y1 + box.y2) / 2 + forehead * Math.cos(roll ?? 0),
  }
  return { centre, side }
}
