/** Landmarks for packs without a landmark network: the five points that the detector gives. */
import { type Box, height, overlap, width } from '../../contract/model/bbox.ts'
import type { Detection, Detector } from '../detection/detection.ts'
import { type Point, squareAt, transformBox, transformPoint } from '../imaging/geometry.ts'
import { type Photo, uprightPhoto, warp } from '../imaging/image.ts'
import type { Landmarks } from './landmarks.ts'

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
