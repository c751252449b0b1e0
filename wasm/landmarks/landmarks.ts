/** Finds the landmarks of a face: 68 by a network, or the five points of the detector. */
import { type Box, height, overlap, width } from '../../contract/model/bbox.ts'
import type { LandmarksModel } from '../../models/manifest.ts'
import { fivePointsOf } from '../alignment/align.ts'
import { type Detection, type Detector, type Located, rollOf } from '../detectors/detection.ts'
import { runOn } from '../detectors/tiling.ts'
import { type Point, squareAt, transformBox, transformPoint } from '../imaging/geometry.ts'
import { invert, type Photo, uprightPhoto, warp } from '../imaging/image.ts'
import type { Runtime, Session } from '../runtime/runtime.ts'
import { browToChin } from './face-frame.ts'

export interface Landmarks {
  /** The landmarks of a face, in upright pixels. A face without detector points takes several runs of the network. */
  find(photo: Photo, face: Located): Promise<readonly Point[]>
}

/**
 * Side of the crop for faces with detector points, in sides of the square from brow to chin. Measurements:
 * docs/decisions/0017-details-of-a-face.md#landmarks-and-pose.
 */
const AROUND_FACE = 1.05

/** Side of the last crop for faces without detector points, relative to the extent of the landmarks found before. */
const AROUND_POINTS = 1.1

/** The crop that the network takes: pixels of the photo, and a clockwise rotation in radians. */
interface Square {
  readonly centre: Point
  readonly side: number
  readonly roll: number
}

/**
 * Loads the network. Boxes without points may have any shape. For these the network runs three times: to find the
 * roll, then rotated by that roll, then around the landmarks found.
 */
export async function openLandmarks(
  runtime: Runtime,
  bytes: Uint8Array,
  model: LandmarksModel,
): Promise<Landmarks> {
  const session = await runtime.session(bytes)
  return {
    async find(photo, { box, points }) {
      const findPoints = (square: Square) => findIn(session, model, photo, square)
      if (points) {
        const { centre, side } = browToChin(box, rollOf(points))
        return findPoints({ centre, side: AROUND_FACE * side, roll: rollOf(points) })
      }
      const square = browToChin(box)
      const roll = rollOfPoints(await findPoints({ ...square, roll: 0 }))
      return findPoints(squareAround(await findPoints({ ...square, roll })))
    },
  }
}

/** Runs the network once. */
async function findIn(
  session: Session,
  { input, output, size }: LandmarksModel,
  photo: Photo,
  { centre, side, roll }: Square,
): Promise<Point[]> {
  const toUpright = squareAt(centre, side, roll, size)
  const outputs = await runOn(session, input, photo, { width: size, height: size, toUpright })
  return pairs(outputs[output]!).map(({ x, y }) => transformPoint(toUpright, { x: x * size, y: y * size }))
}

/** A square rotated like the face, centred on the landmarks. */
function squareAround(points: readonly Point[]): Square {
  const roll = rollOfPoints(points)
  const toUpright = squareAt({ x: 0, y: 0 }, 1, roll, 1)
  const fromUpright = invert(toUpright)
  const turned = points.map(point => transformPoint(fromUpright, point))
  const [left, right] = [Math.min(...turned.map(({ x }) => x)), Math.max(...turned.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...turned.map(({ y }) => y)), Math.max(...turned.map(({ y }) => y))]
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 }
  const side = AROUND_POINTS * Math.max(right - left, bottom - top)
  return { centre: transformPoint(toUpright, middle), side, roll }
}

/** x0, y0, x1, y1, ... -> points */
const pairs = (values: Float32Array): Point[] =>
  Array.from({ length: values.length / 2 }, (_, i) => ({ x: values[2 * i]!, y: values[2 * i + 1]! }))

const rollOfPoints = (points: readonly Point[]): number => rollOf(fivePointsOf(points))

/** Input for a box that the caller gave: side in pixels, and the side of the shown area in longer sides of the box. */
const PICTURE_SIDE = 320
const SURROUNDINGS = 2

/** Least overlap (intersection over union) of a detection with the caller's box to count as the same face. */
const CALLER_OVERLAP = 0.2

/**
 * Positions of the five points in a box, as fractions of the box, used when the detector finds no face in the box.
 * Source: mean of YuNet's points in its boxes.
 */
const TYPICAL: readonly Point[] = [
  { x: 0.3, y: 0.4 },
  { x: 0.7, y: 0.4 },
  { x: 0.5, y: 0.6 },
  { x: 0.34, y: 0.78 },
  { x: 0.66, y: 0.78 },
]

/** Returns the detector's points. For boxes of the caller, it runs the detector on the box and its surroundings. */
export const detectorLandmarks = (detector: Detector): Landmarks => ({
  async find(photo, { box, points }) {
    return points ?? (await detectInBox(detector, photo, box)) ?? TYPICAL.map(point => within(box, point))
  },
})

async function detectInBox(detector: Detector, photo: Photo, box: Box): Promise<Point[] | undefined> {
  const side = SURROUNDINGS * Math.max(width(box), height(box))
  const toUpright = squareAt(within(box, { x: 0.5, y: 0.5 }), side, 0, PICTURE_SIDE)
  const data = warp(photo, toUpright, PICTURE_SIDE, PICTURE_SIDE)
  const { faces: found } = await detector.detect(
    uprightPhoto({ data, width: PICTURE_SIDE, height: PICTURE_SIDE }),
  )
  const shared = (face: Detection) => overlap(transformBox(toUpright, face.box), box)
  const [best] = found.toSorted((a, b) => shared(b) - shared(a))
  return best && shared(best) >= CALLER_OVERLAP
    ? best.points?.map(point => transformPoint(toUpright, point))
    : undefined
}

const within = (box: Box, { x, y }: Point): Point => ({
  x: box.x1 + x * width(box),
  y: box.y1 + y * height(box),
})
