/** Finds the 68 landmarks of a face (iBUG 300-W order: jaw 0-16, brows 17-26, nose 27-35, eyes 36-47, lips 48-67). */
import { inputLength, writeInput } from '../../models/input.ts'
import type { LandmarksModel } from '../../models/manifest.ts'
import { type Located, rollOf } from '../detection/detection.ts'
import { clockwiseAngle, mean, type Point, squareAt, transformPoint } from '../imaging/geometry.ts'
import { invert, type Photo, warp } from '../imaging/image.ts'
import type { Runtime, Session } from '../runtime/runtime.ts'
import { browToChin } from './face-frame.ts'

/** Landmarks around the eyes. Right and left are those of the person. */
const RIGHT_EYE = { first: 36, last: 41 }
const LEFT_EYE = { first: 42, last: 47 }

export interface Landmarks {
  /** The landmarks of a face, in upright pixels. A face without detector points takes several runs of the network. */
  find(photo: Photo, face: Located): Promise<readonly Point[]>
}

/**
 * Side of the crop for faces with detector points, in sides of the square from brow to chin. Measurements:
 * docs/decisions/0017-details-of-a-face.md#landmark-crop.
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
  const data = new Float32Array(inputLength(size, size))
  writeInput(input, warp(photo, toUpright, size, size), size, data)
  const outputs = await session.run({ [input.name]: { data, dims: [1, 3, size, size] } })
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

const rollOfPoints = (points: readonly Point[]): number => {
  const middle = ({ first, last }: typeof RIGHT_EYE) => mean(points.slice(first, last + 1))
  return clockwiseAngle(middle(RIGHT_EYE), middle(LEFT_EYE))
}
