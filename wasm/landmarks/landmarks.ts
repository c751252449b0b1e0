/** The 68 points of a face (iBUG 300-W order: jaw 0-16, brows 17-26, nose 27-35, eyes 36-47, lips 48-67). */
import { inputLength, writeInput } from '../../models/input.ts'
import type { LandmarksModel } from '../../models/manifest.ts'
import { type Located, rollOf } from '../detection/detection.ts'
import { clockwiseAngle, mean, moved, type Point, squareAt } from '../imaging/geometry.ts'
import { invert, type Photo, warp } from '../imaging/image.ts'
import type { Runtime, Session } from '../runtime/runtime.ts'
import { browToChin } from './face-frame.ts'

/** Points around the eyes; right and left are the person's own. */
const RIGHT_EYE = { first: 36, last: 41 }
const LEFT_EYE = { first: 42, last: 47 }

export interface Landmarks {
  /** The points of a face, in upright pixels. Without those of a detector it has to look more than once. */
  find(photo: Photo, face: Located): Promise<readonly Point[]>
}

/**
 * The look at a face that its detector gave points of shows so many times the square from brow to chin.
 * docs/decisions/0034-landmark-crop.md has the measurements.
 */
const AROUND_FACE = 1.05

/** The last look at a face without a detector's points shows so many times what the points found before cover. */
const AROUND_POINTS = 1.1

/** What the network is shown: pixels of the photo, and radians that it is turned clockwise. */
interface Square {
  readonly centre: Point
  readonly side: number
  readonly roll: number
}

/**
 * Loads the network. A box without points may be drawn anyhow: there it looks three times, for the roll, then along it, and
 * then around the points that it found.
 */
export async function openLandmarks(
  runtime: Runtime,
  bytes: Uint8Array,
  model: LandmarksModel,
): Promise<Landmarks> {
  const session = await runtime.session(bytes)
  return {
    async find(photo, { box, points }) {
      const analyze = (square: Square) => findIn(session, model, photo, square)
      if (points) {
        const { centre, side } = browToChin(box, rollOf(points))
        return analyze({ centre, side: AROUND_FACE * side, roll: rollOf(points) })
      }
      const square = browToChin(box)
      const roll = rollOfPoints(await analyze({ ...square, roll: 0 }))
      return analyze(squareAround(await analyze({ ...square, roll })))
    },
  }
}

/** One run of the network. */
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
  return pairs(outputs[output]!).map(({ x, y }) => moved(toUpright, { x: x * size, y: y * size }))
}

/** Turned as the face is, with its points in the middle. */
function squareAround(points: readonly Point[]): Square {
  const roll = rollOfPoints(points)
  const toUpright = squareAt({ x: 0, y: 0 }, 1, roll, 1)
  const fromUpright = invert(toUpright)
  const turned = points.map(point => moved(fromUpright, point))
  const [left, right] = [Math.min(...turned.map(({ x }) => x)), Math.max(...turned.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...turned.map(({ y }) => y)), Math.max(...turned.map(({ y }) => y))]
  const middle = { x: (left + right) / 2, y: (top + bottom) / 2 }
  const side = AROUND_POINTS * Math.max(right - left, bottom - top)
  return { centre: moved(toUpright, middle), side, roll }
}

/** x0, y0, x1, y1, ... -> points */
const pairs = (values: Float32Array): Point[] =>
  Array.from({ length: values.length / 2 }, (_, i) => ({ x: values[2 * i]!, y: values[2 * i + 1]! }))

const rollOfPoints = (points: readonly Point[]): number => {
  const middle = ({ first, last }: typeof RIGHT_EYE) => mean(points.slice(first, last + 1))
  return clockwiseAngle(middle(RIGHT_EYE), middle(LEFT_EYE))
}
