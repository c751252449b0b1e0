/** A face's points where a pack has no network for them: those that its detector gives with each face. */
import { type Box, height, overlap, width } from '../../core/contract/model/bbox.ts'
import type { Detection, Detector } from '../detection/detection.ts'
import { moved, movedBox, type Point, squareAt } from '../imaging/geometry.ts'
import { type Photo, uprightPhoto, warp } from '../imaging/image.ts'
import type { Landmarks } from './landmarks.ts'

/** A box that a caller gave is looked at in a picture of so many pixels a side, which shows so many times its longer side. */
const PICTURE_SIDE = 320
const SURROUNDINGS = 2

/** What the detector finds there is the face that is meant when it overlaps the box at least this much. */
const SAME_FACE = 0.2

/**
 * Where the five points lie in a box, in parts of it, as seen: where nothing is found in it, it is taken at its word.
 * Source: the mean of YuNet's own points in its own boxes.
 */
const TYPICAL: readonly Point[] = [
  { x: 0.3, y: 0.4 },
  { x: 0.7, y: 0.4 },
  { x: 0.5, y: 0.6 },
  { x: 0.34, y: 0.78 },
  { x: 0.66, y: 0.78 },
]

/** Gives the detector's points; it looks again at boxes that it did not find itself. */
export const detectorLandmarks = (detector: Detector): Landmarks => ({
  async find(photo, { box, points }) {
    return points ?? (await findAgain(detector, photo, box)) ?? TYPICAL.map(point => within(box, point))
  },
})

async function findAgain(detector: Detector, photo: Photo, box: Box): Promise<Point[] | undefined> {
  const side = SURROUNDINGS * Math.max(width(box), height(box))
  const toUpright = squareAt(within(box, { x: 0.5, y: 0.5 }), side, 0, PICTURE_SIDE)
  const data = warp(photo, toUpright, PICTURE_SIDE, PICTURE_SIDE)
  const { faces: found } = await detector.detect(
    uprightPhoto({ data, width: PICTURE_SIDE, height: PICTURE_SIDE }),
  )
  const shared = (face: Detection) => overlap(movedBox(toUpright, face.box), box)
  const [best] = found.toSorted((a, b) => shared(b) - shared(a))
  return best && shared(best) >= SAME_FACE ? best.points?.map(point => moved(toUpright, point)) : undefined
}

const within = (box: Box, { x, y }: Point): Point => ({
  x: box.x1 + x * width(box),
  y: box.y1 + y * height(box),
})
