/**
 * Converts between the two frames of a face: the reported box from chin to forehead, and the square from chin to
 * brow.
 */
import { type Box, height, width } from '../../contract/model/bbox.ts'
import { boxOfRolled, centreOf, type Point } from '../imaging/geometry.ts'

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
  const side = (width(square) + height(square)) / 2
  const middle = centreOf(square)
  const centre = { x: middle.x + UP * side * Math.sin(roll), y: middle.y - UP * side * Math.cos(roll) }
  return boxOfRolled(centre, { width: WIDE * side, height: HIGH * side }, roll)
}

/** The square from chin to brow in an upright box. If its height does not exceed its width, it contains no forehead. */
export function browToChin(box: Box): { centre: Point; side: number } {
  const forehead = ABOVE_BROW * Math.max(0, height(box) - width(box))
  const { x, y } = centreOf(box)
  return { centre: { x, y: y + forehead }, side: width(box) + forehead }
}
