/** Chips laid out by five points, and the way from one layout to another. */
import { type ChipModel, embedderSide } from '../../models/manifest.ts'
import { mean, type Point } from '../imaging/geometry.ts'
import type { Affine } from '../imaging/image.ts'
import { chipToUpright, meanFaceOn, similarity } from './align.ts'

/** Side of the chips in which the points below are given. */
const ARCFACE_SIDE = 112

/**
 * Right eye, left eye, nose tip, right and left corner of the mouth on a chip of ArcFace.
 * Source: insightface, python-package/insightface/utils/face_align.py; OpenCV, face_recognize.cpp has the same.
 */
const ARCFACE_FACE: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
]

/** The map from the chip's pixels to the upright photo, by what is known of the face: 68 points, or five where they do. */
export function layout(points: readonly Point[], chip: ChipModel): Affine {
  if (chip.template === 'dlib') return chipToUpright(points, chip)
  return similarity(pointsOn(chip), fivePointsOf(points))
}

/** The map from the pixels of one kind of chip to those of another that shows the same face; nothing moves between equals. */
export const chipToChip = (from: ChipModel, to: ChipModel): Affine =>
  sameChip(from, to) ? [1, 0, 0, 0, 1, 0] : similarity(pointsOn(from), pointsOn(to))

/** Whether faces lie alike on two kinds of chips. */
export const sameChip = (a: ChipModel, b: ChipModel): boolean =>
  a.size === b.size && a.template === b.template && paddingOf(a) === paddingOf(b)

const paddingOf = (chip: ChipModel): number => (chip.template === 'dlib' ? chip.padding : chip.margin)

/** Where the five points lie on a chip. */
function pointsOn(chip: ChipModel): readonly Point[] {
  if (chip.template === 'dlib') return fivePointsOf(meanFaceOn(chip))
  const scale = embedderSide(chip) / ARCFACE_SIDE
  return ARCFACE_FACE.map(({ x, y }) => ({ x: chip.margin + x * scale, y: chip.margin + y * scale }))
}

/** The five among 68 points: middles of the eyes, nose tip, corners of the mouth. Five stay as they are. */
export function fivePointsOf(points: readonly Point[]): readonly Point[] {
  if (points.length === ARCFACE_FACE.length) return points
  const eyes = [mean(points.slice(36, 42)), mean(points.slice(42, 48))]
  return [...eyes, points[30]!, points[48]!, points[54]!]
}
