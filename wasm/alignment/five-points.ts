/** Lays out chips by five points, and maps one chip layout to another. */
import { type ChipModel, embedderSide } from '../../models/manifest.ts'
import { mean, type Point } from '../imaging/geometry.ts'
import type { Affine } from '../imaging/image.ts'
import { chipToUpright, meanFaceOn, similarity } from './align.ts'

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
 * Maps pixels of the chip to the upright photo. Takes 68 landmarks, or five points for a template that needs only
 * these.
 */
export function layout(points: readonly Point[], chip: ChipModel): Affine {
  if (chip.template === 'dlib') return chipToUpright(points, chip)
  return similarity(pointsOn(chip), fivePointsOf(points))
}

/** Maps pixels of one chip layout to another layout of the same face. The identity for equal layouts. */
export const chipToChip = (from: ChipModel, to: ChipModel): Affine =>
  sameChip(from, to) ? [1, 0, 0, 0, 1, 0] : similarity(pointsOn(from), pointsOn(to))

/** True when both layouts place faces equally. */
export const sameChip = (a: ChipModel, b: ChipModel): boolean =>
  a.size === b.size && a.template === b.template && paddingOf(a) === paddingOf(b)

const paddingOf = (chip: ChipModel): number => (chip.template === 'dlib' ? chip.padding : chip.margin)

/** The positions of the five points on a chip. */
function pointsOn(chip: ChipModel): readonly Point[] {
  if (chip.template === 'dlib') return fivePointsOf(meanFaceOn(chip))
  const scale = embedderSide(chip) / ARCFACE_SIDE
  return ARCFACE_FACE.map(({ x, y }) => ({ x: chip.margin + x * scale, y: chip.margin + y * scale }))
}

/** Reduces 68 landmarks to five: eye centres, nose tip, mouth corners. Five points stay unchanged. */
export function fivePointsOf(points: readonly Point[]): readonly Point[] {
  if (points.length === ARCFACE_FACE.length) return points
  const eyes = [mean(points.slice(36, 42)), mean(points.slice(42, 48))]
  return [...eyes, points[30]!, points[48]!, points[54]!]
}
