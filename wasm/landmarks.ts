/** The 68 points of a face (iBUG 300-W order: jaw 0-16, brows 17-26, nose 27-35, eyes 36-47, lips 48-67). */
import type { Box } from '../core/contract/bbox.ts'
import { height, width } from '../core/contract/bbox.ts'
import { inputLength, writeInput } from '../models/input.ts'
import type { LandmarksModel } from '../models/manifest.ts'
import { type Located, rollOf } from './detection.ts'
import { clockwiseAngle, mean, moved, type Point, squareAt } from './geometry.ts'
import { type Photo, warp } from './image.ts'
import type { Runtime, Session } from './runtime.ts'

/** Points around the eyes; right and left are the person's own. */
const RIGHT_EYE = { first: 36, last: 41 }
const LEFT_EYE = { first: 42, last: 47 }

export interface Landmarks {
  /** The points of a face, in upright pixels. Without those of a detector it may have to look twice. */
  find(photo: Photo, face: Located): Promise<readonly Point[]>
}

/** Loads the network. Where the detector saw no eyes, it looks along those that it found itself at first. */
export async function openLandmarks(
  runtime: Runtime,
  bytes: Uint8Array,
  model: LandmarksModel,
): Promise<Landmarks> {
  const session = await runtime.session(bytes)
  return {
    async find(photo, { box, points }) {
      const roll = points ? rollOf({ points }) : rollOfPoints(await findOnce(session, model, photo, box, 0))
      return findOnce(session, model, photo, box, roll)
    },
  }
}

/** One run of the network, on the square around the box. */
async function findOnce(
  session: Session,
  { input, output, size }: LandmarksModel,
  photo: Photo,
  box: Box,
  roll: number,
): Promise<Point[]> {
  const toUpright = squareAt(centre(box), Math.max(width(box), height(box)), roll, size)
  const data = new Float32Array(inputLength(size, size))
  writeInput(input, warp(photo, toUpright, size, size), size, data)
  const outputs = await session.run({ [input.name]: { data, dims: [1, 3, size, size] } })
  return pairs(outputs[output]!).map(({ x, y }) => moved(toUpright, { x: x * size, y: y * size }))
}

const centre = ({ x1, y1, x2, y2 }: Box): Point => ({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 })

/** x0, y0, x1, y1, ... -> points */
const pairs = (values: Float32Array): Point[] =>
  Array.from({ length: values.length / 2 }, (_, i) => ({ x: values[2 * i]!, y: values[2 * i + 1]! }))

const rollOfPoints = (points: readonly Point[]): number => {
  const middle = ({ first, last }: typeof RIGHT_EYE) => mean(points.slice(first, last + 1))
  return clockwiseAngle(middle(RIGHT_EYE), middle(LEFT_EYE))
}
