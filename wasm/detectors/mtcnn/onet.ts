/** O-Net of MTCNN: judges a face, improves its box, and finds its five points. Source: see mtcnn.ts. */
import { height, width } from '../../../contract/model/bbox.ts'
import { inputLength, writeInput } from '../../../models/input.ts'
import type { LandmarksModel, ModelInput, ReadModel } from '../../../models/manifest.ts'
import {
  type Affine,
  boxOfRolled,
  centreOf,
  type Point,
  squareAt,
  transformPoint,
} from '../../imaging/geometry.ts'
import { compose, type Photo } from '../../imaging/orientation.ts'
import { warpSmoothly } from '../../imaging/views.ts'
import type { Runtime, Session } from '../../runtime/runtime.ts'
import { type Detection, type Located, probability, rollOf } from '../detection.ts'
import { movedBox } from './pyramid.ts'

/** Side of the squares that O-Net takes, in pixels. */
export const ONET_SIDE = 48

/** Pixels of a batch of squares at most: 6 of O-Net, 24 of R-Net. */
const BATCH_PIXELS = 6 * ONET_SIDE ** 2

/** Estimated microseconds per input pixel, with the time that the crop takes. Measured. */
const PIXEL_US = 0.85

/**
 * Score of nearly all faces that are judged as they are turned. Animals that lie or look aside do not reach it at any quarter.
 * Landmarks of faces below it are read at all four quarters.
 */
export const SURE_SCORE = 0.97

/** Score from which a quarter is the place of the landmarks. Profiles and lowered heads have lower ones at wrong quarters. */
const TURNED_SCORE = 0.8

const QUARTERS = [0, 1, 2, 3].map(quarters => (quarters * Math.PI) / 2)

export interface Onet {
  /**
   * Judges faces in the same order: O-Net's scores and boxes, and five points: right eye, left eye, nose, right and left corner of
   * the mouth. Points of a face say how it is turned; without them it is upright.
   */
  judge(photo: Photo, faces: readonly Located[]): Promise<Detection[]>
  /** Judges faces at all four quarters, and returns for each the result with the highest score. */
  judgeTurned(photo: Photo, faces: readonly Located[]): Promise<Detection[]>
  /** The five points of a face. The box may come from any source. */
  find(photo: Photo, face: Located): Promise<readonly Point[]>
}

export async function openOnet(
  runtime: Runtime,
  read: ReadModel,
  { file, input }: LandmarksModel,
): Promise<Onet> {
  const session = await runtime.session(await read(file), { pixelUs: PIXEL_US })
  const run = (photo: Photo, squares: readonly Square[]) =>
    runOnSquares(session, input, ONET_SIDE, photo, squares)
  const judge = (photo: Photo, faces: readonly Located[]) => run(photo, faces.map(squareAround))

  const judgeTurned = async (photo: Photo, faces: readonly Located[]): Promise<Detection[]> => {
    const best: Detection[] = []
    for (const face of faces) {
      const turned = await run(
        photo,
        QUARTERS.map(roll => ({ ...squareAround(face), roll })),
      )
      best.push(turned.reduce((highest, one) => (one.score > highest.score ? one : highest)))
    }
    return best
  }

  return {
    judge,
    judgeTurned,
    async find(photo, face) {
      let [better] = await judge(photo, [face])
      if (better!.score < SURE_SCORE) {
        const [turned] = await judgeTurned(photo, [face])
        if (turned!.score > Math.max(better!.score, TURNED_SCORE)) better = turned
      }
      // The second square is around the improved box.
      const [last] = await judge(photo, [better!])
      return last!.points!
    },
  }
}

/** A square of the photo: `side` in photo pixels, `roll` in radians clockwise. */
interface Square {
  readonly centre: Point
  readonly side: number
  readonly roll: number
}

/** The square of a face, turned like its points. */
export const squareAround = ({ box, points }: Located): Square => ({
  centre: centreOf(box),
  side: Math.max(width(box), height(box)),
  roll: points ? rollOf(points) : 0,
})

/** Runs R-Net or O-Net, which take squares of `side` pixels, in batches. Scores come from the network alone. */
export async function runOnSquares(
  session: Session,
  input: ModelInput,
  side: number,
  photo: Photo,
  squares: readonly Square[],
): Promise<Detection[]> {
  const judged: Detection[] = []
  while (judged.length < squares.length) {
    // Full batches, then powers of two: few distinct shapes keep the runtime's memory small.
    const left = squares.length - judged.length
    const full = BATCH_PIXELS / side ** 2
    const count = left < full ? 2 ** Math.floor(Math.log2(left)) : full
    const batch = squares.slice(judged.length, judged.length + count)
    const maps = batch.map(square => squareAt(square.centre, square.side, square.roll, 1))
    const length = inputLength(side, side)
    const data = new Float32Array(count * length)
    for (const [i, map] of maps.entries()) {
      const crop = warpSmoothly(photo, compose(map, [1 / side, 0, 0, 0, 1 / side, 0]), side, side)
      writeInput(input, crop, side, data, { offset: i * length })
    }
    const { scores, boxes, points } = await session.run({
      [input.name]: { data, dims: [count, 3, side, side] },
    })
    for (const [i, map] of maps.entries()) {
      const inside = movedBox({ x1: 0, y1: 0, x2: 1, y2: 1 }, boxes!.subarray(4 * i, 4 * i + 4))
      const scale = batch[i]!.side
      const size = { width: scale * width(inside), height: scale * height(inside) }
      judged.push({
        score: probability(scores![i]!),
        box: boxOfRolled(transformPoint(map, centreOf(inside)), size, batch[i]!.roll),
        ...(points && { points: pointsOn(map, points.subarray(10 * i, 10 * i + 10)) }),
      })
    }
  }
  return judged
}

/** Five points from x of all points and y of all points, as parts of the square. */
const pointsOn = (square: Affine, values: Float32Array) =>
  Array.from({ length: 5 }, (_, i) => transformPoint(square, { x: values[i]!, y: values[5 + i]! }))
