/** Aligns faces: fits the chip layouts of the embedders to landmarks by a similarity transform. */
import { type ChipModel, type DlibChip, embedderSide } from '../../models/manifest.ts'
import { type Affine, mean, type Point } from '../imaging/geometry.ts'

/** An aligned face: RGB, three bytes per pixel, square. */
export type FaceChip = Uint8Array

/** Landmarks used for alignment: nose, eyes, and lips without the lower outer edge. Brows and jaw move too much. */
const USED = [...range(27, 54), ...range(60, 67)]

/**
 * Positions of these landmarks on the mean face: x, y pairs in the order of USED.
 * Source: dlib, image_transforms/interpolation.h, get_face_chip_details().
 */
// biome-ignore format: one point per pair, one part of the face per group of lines
const MEAN_FACE = [
  // nose
  0.490127, 0.203352, 0.490127, 0.307009, 0.490127, 0.409805, 0.490127, 0.515625, 0.36688, 0.587326,
  0.426036, 0.609345, 0.490127, 0.628106, 0.554217, 0.609345, 0.613373, 0.587326,
  // right eye
  0.121737, 0.216423, 0.187122, 0.178758, 0.265825, 0.179852, 0.334606, 0.231733, 0.260918, 0.245099,
  0.182743, 0.244077,
  // left eye
  0.645647, 0.231733, 0.714428, 0.179852, 0.793132, 0.178758, 0.858516, 0.216423, 0.79751, 0.244077,
  0.719335, 0.245099,
  // upper edge of the lips
  0.254149, 0.780233, 0.340985, 0.745405, 0.428858, 0.727388, 0.490127, 0.742578, 0.551395, 0.727388,
  0.639268, 0.745405, 0.726104, 0.780233,
  // inner edge of the lips
  0.290379, 0.784792, 0.428096, 0.778746, 0.490127, 0.785343, 0.552157, 0.778746, 0.689874, 0.784792,
  0.553364, 0.824182, 0.490127, 0.831803, 0.42689, 0.824182,
]

/**
 * Positions of the mean face's landmarks on the chip, indexed by landmark number. Only landmarks in USED are present.
 */
function meanFaceOn({ size, padding }: DlibChip): Point[] {
  const onChip = (value: number): number => ((padding + value) / (2 * padding + 1)) * size
  const points: Point[] = []
  for (const [i, landmark] of USED.entries()) {
    points[landmark] = { x: onChip(MEAN_FACE[2 * i]!), y: onChip(MEAN_FACE[2 * i + 1]!) }
  }
  return points
}

/** Maps pixels of a dlib chip to the upright photo. `landmarks` are 68 points in upright pixels. */
function dlibLayout(landmarks: readonly Point[], chip: DlibChip): Affine {
  const template = meanFaceOn(chip)
  return similarity(
    USED.map(i => template[i]!),
    USED.map(i => landmarks[i]!),
  )
}

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

/** The integers from `first` to `last`, both included. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
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
 * Maps pixels of the chip to the upright photo. Takes 68 landmarks, or five points for a template that needs only
 * these.
 */
export function layout(points: readonly Point[], chip: ChipModel): Affine {
  if (chip.template === 'dlib') return dlibLayout(points, chip)
  return similarity(pointsOn(chip), fivePointsOf(points))
}

/** Maps pixels of one chip layout to another layout of the same face. The identity for equal layouts. */
export const chipToChip = (from: ChipModel, to: ChipModel): Affine =>
  sameChip(from, to) ? [1, 0, 0, 0, 1, 0] : similarity(pointsOn(from), pointsOn(to))

/** True when both layouts place faces equally. */
const sameChip = (a: ChipModel, b: ChipModel): boolean =>
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
