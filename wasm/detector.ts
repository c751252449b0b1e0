/** Faces on a photo: BlazeFace, looking at the whole photo at one or more sizes. */

import { height, width } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { inputLength, writeInput } from '../models/input.ts'
import type { DetectorModel } from '../models/manifest.ts'
import { BLAZEFACE_POINTS, readBlazeface } from './blazeface.ts'
import { clockwiseAngle, moved } from './geometry.ts'
import { type Affine, type Photo, warp } from './image.ts'
import { type Detection, merged } from './nms.ts'
import type { Runtime, Session } from './runtime.ts'

/** Longer side of the picture at the first look, which every photo gets: what the network was trained on. */
const WHOLE = 256

/** Of the second look, which finds smaller faces. */
const CLOSER = 512

/** Photos up to this longer side show nothing new at the second look. */
const SEEN_WHOLE = 320

/** Shorter sides are filled up to a multiple of this: few shapes of input mean little memory in the runtime. */
const SHORTER_SIDE_STEP = 128

/** Scores below this are not faces. */
const LEAST_SCORE = 0.6

/** Boxes that overlap this much are one face. */
const SAME_FACE = 0.3

/** One picture to run the network on, and where it lies on the upright photo. */
interface Look {
  readonly width: number
  readonly height: number
  readonly toUpright: Affine
}

export interface Detector {
  /** Faces of at least LIMITS.faceSide pixels a side, surest first. Points as in BLAZEFACE_POINTS. */
  detect(photo: Photo): Promise<Detection[]>
}

/** Loads the network. */
export async function openDetector(
  runtime: Runtime,
  bytes: Uint8Array,
  model: DetectorModel,
): Promise<Detector> {
  const session = await runtime.session(bytes)
  return {
    async detect(photo) {
      const found: Detection[] = []
      for (const view of looksAt(photo)) found.push(...(await detectIn(session, model, photo, view)))
      return merged(found, SAME_FACE).filter(isLargeEnough)
    },
  }
}

/** How far the line through a detected face's eyes is turned clockwise, in radians. */
export const rollOf = ({ points }: Detection): number =>
  clockwiseAngle(points[BLAZEFACE_POINTS.rightEye]!, points[BLAZEFACE_POINTS.leftEye]!)

const isLargeEnough = ({ box }: Detection): boolean => Math.min(width(box), height(box)) >= LIMITS.faceSide

/** The looks that a photo gets. */
function looksAt(photo: Photo): Look[] {
  const longer = Math.max(photo.width, photo.height)
  return longer > SEEN_WHOLE ? [wholeAt(photo, WHOLE), wholeAt(photo, CLOSER)] : [wholeAt(photo, WHOLE)]
}

/** The whole photo scaled to this longer side, in the middle of a black picture. */
function wholeAt(photo: Photo, longerSide: number): Look {
  const step = Math.max(photo.width, photo.height) / longerSide
  const pictureSide = (side: number) => Math.ceil(side / step / SHORTER_SIDE_STEP - 1e-9) * SHORTER_SIDE_STEP
  const look = { width: pictureSide(photo.width), height: pictureSide(photo.height) }
  const left = (photo.width - look.width * step) / 2
  const top = (photo.height - look.height * step) / 2
  return { ...look, toUpright: [step, 0, left, 0, step, top] }
}

/** The detections of one look, in the photo's coordinates. */
async function detectIn(
  session: Session,
  { input }: DetectorModel,
  photo: Photo,
  { width, height, toUpright }: Look,
): Promise<Detection[]> {
  const data = new Float32Array(inputLength(width, height))
  writeInput(input, warp(photo, toUpright, width, height), width, data)
  const outputs = await session.run({ [input.name]: { data, dims: [1, 3, height, width] } })
  return readBlazeface(outputs, width, LEAST_SCORE).map(detection => onPhoto(detection, toUpright))
}

function onPhoto({ box, score, points }: Detection, toUpright: Affine): Detection {
  const topLeft = moved(toUpright, { x: box.x1, y: box.y1 })
  const bottomRight = moved(toUpright, { x: box.x2, y: box.y2 })
  return {
    score,
    box: { x1: topLeft.x, y1: topLeft.y, x2: bottomRight.x, y2: bottomRight.y },
    points: points.map(point => moved(toUpright, point)),
  }
}
