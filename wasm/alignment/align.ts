/**
 * Aligns faces: fits the chip layouts of the embedders to five points by a similarity transform. Converts between the two frames of a
 * face: the reported box from chin to forehead, and the square from chin to brow.
 */
import { type Box, height, width } from '../../contract/model/bbox.ts'
import { type ChipModel, embedderSide } from '../../models/manifest.ts'
import { type Affine, boxOfRolled, centreOf, mean, type Point } from '../imaging/geometry.ts'

/** An aligned face: RGB, three bytes per pixel, square. */
export type FaceChip = Uint8Array

/**
 * The rotation, uniform scale and translation that map `from` to `to` with the least squared error (closed form of
 * Umeyama 1991 in two dimensions). The points must not all coincide.
 */
function similarity(from: readonly Point[], to: readonly Point[]): Affine {
  const [p, q] = [mean(from), mean(to)]
  let along = 0
  let across = 0
  let spread = 0
  for (const [i, { x, y }] of from.entries()) {
    const [fx, fy] = [x - p.x, y - p.y]
    const [tx, ty] = [to[i]!.x - q.x, to[i]!.y - q.y]
    along += fx * tx + fy * ty
    across += fx * ty - fy * tx
    spread += fx * fx + fy * fy
  }
  const [cos, sin] = [along / spread, across / spread]
  return [cos, -sin, q.x - cos * p.x + sin * p.y, sin, cos, q.y - sin * p.x - cos * p.y]
}

/** Side of the chips that the coordinates below refer to, in pixels. */
const ARCFACE_SIDE = 112

/**
 * Right eye, left eye, nose tip, right and left mouth corner on an ArcFace chip.
 * Source: insightface, python-package/insightface/utils/face_align.py; OpenCV's face_recognize.cpp has the same
 * values.
 */
const ARCFACE_FACE: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

/**
 * The same five points on dlib's mean face, whose extent is 1: centres of the eyes, nose tip, corners of the mouth.
 * Source: dlib, image_transforms/interpolation.h, get_face_chip_details().
 */
const DLIB_FACE: readonly Point[] = [
  { x: 0.225492, y: 0.21599 },
  { x: 0.754761, y: 0.21599 },
  { x: 0.490127, y: 0.515625 },
  { x: 0.254149, y: 0.780233 },
  { x: 0.726104, y: 0.780233 },
]

/** Maps pixels of the chip to the upright photo. `points` are the five points of the face in upright pixels. */
export const layout = (points: readonly Point[], chip: ChipModel): Affine =>
  similarity(pointsOn(chip), points)

/** Maps pixels of one chip layout to another layout of the same face. The identity for equal layouts. */
export const chipToChip = (from: ChipModel, to: ChipModel): Affine =>
  sameChip(from, to) ? [1, 0, 0, 0, 1, 0] : similarity(pointsOn(from), pointsOn(to))

/** True when both layouts place faces equally. */
const sameChip = (a: ChipModel, b: ChipModel) =>
  a.size === b.size && a.template === b.template && paddingOf(a) === paddingOf(b)

const paddingOf = (chip: ChipModel) => (chip.template === 'dlib' ? chip.padding : chip.margin)

/** The positions of the five points on a chip. */
function pointsOn(chip: ChipModel): readonly Point[] {
  const [points, scale, margin] =
    chip.template === 'dlib'
      ? [DLIB_FACE, chip.size / (2 * chip.padding + 1), (chip.size * chip.padding) / (2 * chip.padding + 1)]
      : [ARCFACE_FACE, embedderSide(chip) / ARCFACE_SIDE, chip.margin]
  return points.map(({ x, y }) => ({ x: margin + x * scale, y: margin + y * scale }))
}

/**
 * The box of an upright head in sides of the square: its width, its height, and the height of its centre above the square's centre.
 * Source: BlazeFace's squares, compared with boxes of annotators around the same faces.
 */
const HEAD_WIDTH = 0.92
const HEAD_HEIGHT = 1.2
const RISE = 0.08

/** Part above the brow, as a fraction of the box's height minus its width. */
const ABOVE_BROW = RISE / (HEAD_HEIGHT - HEAD_WIDTH)

/** The box for BlazeFace's square. `roll` is the clockwise rotation of the face, in radians. */
export function withForehead(square: Box, roll: number): Box {
  const side = (width(square) + height(square)) / 2
  const middle = centreOf(square)
  const centre = { x: middle.x + RISE * side * Math.sin(roll), y: middle.y - RISE * side * Math.cos(roll) }
  return boxOfRolled(centre, { width: HEAD_WIDTH * side, height: HEAD_HEIGHT * side }, roll)
}

/** The square from chin to brow in an upright box. If its height does not exceed its width, it contains no forehead. */
export function browToChin(box: Box): { centre: Point; side: number } {
  const forehead = ABOVE_BROW * Math.max(0, height(box) - width(box))
  const { x, y } = centreOf(box)
  return { centre: { x, y: y + forehead }, side: width(box) + forehead }
}
