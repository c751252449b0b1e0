/** The detector of the kind `blazeface`: it looks at the whole photo at one or more sizes. */
import { type Box, height, width } from '../core/contract/bbox.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { inputLength, writeInput } from '../models/input.ts'
import type { BlazefaceModel, ReadModel } from '../models/manifest.ts'
import { readBlazeface } from './blazeface.ts'
import type { Detection, Detector } from './detection.ts'
import { moved } from './geometry.ts'
import { type Affine, type Photo, warp } from './image.ts'
import { merged } from './nms.ts'
import type { Runtime, Session } from './runtime.ts'

/** A picture of the whole photo that the network is shown, and the sizes of faces that it is believed about there. */
interface LookKind {
  /** Longer side in pixels. */
  readonly longerSide: number
  /** Sides of boxes, in pixels of the picture. */
  readonly least: number
  readonly most: number
}

/**
 * Every photo gets a coarse look, for faces that nearly fill it, and a fine one. What a look says of sizes that another
 * one sees better only blurs the boxes. docs/decisions/0007-looks-of-the-detector.md has the measurements.
 */
const COARSE: LookKind = { longerSide: 64, least: 35, most: Number.POSITIVE_INFINITY }
const FINE: LookKind = { longerSide: 320, least: 0, most: Number.POSITIVE_INFINITY }

/** A photo where the fine look shows a sign of faces too small to be sure of gets this one, too. */
const CLOSER: LookKind = { longerSide: 512, least: 0, most: 64 }

/** Such a sign: a score of at least so much for a box of less than so many pixels in the fine picture. */
const SIGN_SCORE = 0.4
const SIGN_SIDE = 28

/** Shorter sides are filled up to a multiple of this: few shapes of input mean little memory in the runtime. */
const SHORTER_SIDE_STEP = 32

/** Scores below this are not faces. */
const LEAST_SCORE = 0.5

/** Boxes that overlap this much are one face. */
const SAME_FACE = 0.3

/** What the network is run on, and where it lies on the upright photo. */
interface Picture {
  readonly width: number
  readonly height: number
  readonly toUpright: Affine
}

/** Loads the network. */
export async function openBlazeface(
  runtime: Runtime,
  read: ReadModel,
  model: BlazefaceModel,
): Promise<Detector> {
  const session = await runtime.session(await read(model.file))
  return {
    async detect(photo) {
      const lookAs = (kind: LookKind) => detectIn(session, model, photo, kind)
      const coarse = await lookAs(COARSE)
      const fine = await lookAs(FINE)
      const closer = fine.some(isSignOfSmall(photo)) ? await lookAs(CLOSER) : []
      const sure = [...coarse, ...fine, ...closer].filter(({ score }) => score >= LEAST_SCORE)
      return merged(sure, SAME_FACE).filter(isLargeEnough)
    },
  }
}

const isLargeEnough = ({ box }: Detection): boolean => sideOf(box) >= LIMITS.faceSide

/** Does the fine look show with this detection that the closer one, which has more pixels, is worth its time? */
const isSignOfSmall = (photo: Photo) => {
  const pixel = pixelOf(photo, FINE)
  return ({ box }: Detection): boolean => pixel > pixelOf(photo, CLOSER) && sideOf(box) < SIGN_SIDE * pixel
}

const sideOf = (box: Box): number => Math.min(width(box), height(box))

/** Side of one pixel of the look's picture, in pixels of the photo. No picture shows more pixels than the photo has. */
const pixelOf = (photo: Photo, { longerSide }: LookKind): number =>
  Math.max(1, Math.max(photo.width, photo.height) / longerSide)

/** The whole photo scaled for this look, in the middle of a black picture. */
function pictureOf(photo: Photo, kind: LookKind): Picture {
  const pixel = pixelOf(photo, kind)
  const pictureSide = (side: number) => Math.ceil(side / pixel / SHORTER_SIDE_STEP - 1e-9) * SHORTER_SIDE_STEP
  const picture = { width: pictureSide(photo.width), height: pictureSide(photo.height) }
  const left = (photo.width - picture.width * pixel) / 2
  const top = (photo.height - picture.height * pixel) / 2
  return { ...picture, toUpright: [pixel, 0, left, 0, pixel, top] }
}

/** The detections of one look, from SIGN_SCORE up, in the photo's coordinates. */
async function detectIn(
  session: Session,
  { input }: BlazefaceModel,
  photo: Photo,
  kind: LookKind,
): Promise<Detection[]> {
  const { width, height, toUpright } = pictureOf(photo, kind)
  const data = new Float32Array(inputLength(width, height))
  writeInput(input, warp(photo, toUpright, width, height), width, data)
  const outputs = await session.run({ [input.name]: { data, dims: [1, 3, height, width] } })
  return readBlazeface(outputs, width, SIGN_SCORE)
    .filter(({ box }) => sideOf(box) >= kind.least && sideOf(box) <= kind.most)
    .map(detection => onPhoto(detection, toUpright))
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
