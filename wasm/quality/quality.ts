/** Measures the optional details of a face: its quality, by pose from landmarks and by brightness, contrast and sharpness of the chip, and its liveness. */
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { type Box, partOn, shorterSide } from '../../contract/model/bbox.ts'
import {
  FACE_DETAIL_NAMES,
  type FaceDetail,
  type FaceDetails,
  type Quality,
} from '../../contract/model/face-details.ts'
import type { FaceChip } from '../alignment/align.ts'
import type { Point, Size } from '../imaging/geometry.ts'
import type { Photo } from '../imaging/orientation.ts'
import type { Liveness } from './liveness.ts'
import { poseOf } from './pose.ts'
import { qualityScore } from './quality-score.ts'

/** The data of a face after cutting. */
interface CutFace {
  readonly box: Box
  /** Upright size of the photo. */
  readonly photo: Size
  /** Score of the detector; absent for a box of the caller. */
  readonly score?: number
  /** The five points, in pixels of the photo. */
  readonly points: readonly Point[]
  readonly chip: FaceChip
  /** Side of the chip, in pixels. */
  readonly side: number
}

/** Measures and scores the face. Fractions are rounded to four decimals, degrees to one. */
export function qualityOf({ box, photo, score, points, chip, side }: CutFace): Quality {
  const { sharpness, brightness, contrast } = tonesOf(chip, side)
  const { yaw, pitch, roll } = poseOf(points)
  const measures = {
    ...(score === undefined ? {} : { score: rounded(score, 4) }),
    size: Math.max(1, Math.round(shorterSide(partOn(box, photo)))),
    sharpness: rounded(sharpness, 4),
    brightness: rounded(brightness, 4),
    contrast: rounded(contrast, 4),
    yaw: rounded(yaw, 1),
    pitch: rounded(pitch, 1),
    roll: rounded(roll, 1),
  }
  return { quality: rounded(qualityScore(measures), 4), ...measures }
}

const LEAST_RECOGNISABLE = PHOTO_LIMITS.recognisable

/** Whether a face may be too poor: its quality decides. A box of the caller has no score, and is not doubtful. */
export const isDoubtful = ({ score = 1 }: { readonly score?: number }): boolean =>
  score < LEAST_RECOGNISABLE.score

/** Whether a measured face is left out of recognition, unless its box is given. */
export const isTooPoor = ({ score, quality = 1 }: Pick<Quality, 'score' | 'quality'>): boolean =>
  isDoubtful({ score }) && quality < LEAST_RECOGNISABLE.quality

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

/** All values are 0..1. */
interface Tones {
  /** Mean lightness. */
  readonly brightness: number
  /** Standard deviation of the lightness. */
  readonly contrast: number
  /** Share of the differences between neighbouring pixels that blurring removes. */
  readonly sharpness: number
}

/** Margin left out on each side, as a fraction of the picture. On a chip, the photo may end inside the margin. */
const PICTURE_MARGIN = 1 / 6

/** Length of the box filter along one axis, and the number of its pixels before the middle. */
const BLUR = 9
const HALF_BLUR = 4

/** Square plane of lightness values 0..255, rows from the top. */
interface Plane {
  readonly data: Float32Array
  readonly side: number
}

/** Measures an RGB picture with sides of `side` pixels. */
export function tonesOf(pixels: Uint8Array, side: number): Tones {
  const plane = lightness(pixels, side)
  const mean = average(plane.data)
  const variance = average(plane.data.map(value => (value - mean) ** 2))
  return {
    brightness: mean / 255,
    contrast: Math.sqrt(variance) / 255,
    sharpness: Math.min(detail(plane, 1, plane.side), detail(plane, plane.side, 1)),
  }
}

/** Lightness inside the margins, with the weights of ITU-R BT.601. */
function lightness(pixels: Uint8Array, side: number): Plane {
  const first = Math.round(side * PICTURE_MARGIN)
  const inner = side - 2 * first
  const data = new Float32Array(inner * inner)
  for (let row = 0, at = 0; row < inner; row++) {
    let pixel = ((first + row) * side + first) * 3
    for (let column = 0; column < inner; column++, pixel += 3) {
      data[at++] = 0.299 * pixels[pixel]! + 0.587 * pixels[pixel + 1]! + 0.114 * pixels[pixel + 2]!
    }
  }
  return { data, side: inner }
}

const average = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Share of the differences along one axis that a blur removes: near 1 for fine detail, near 0 for a picture that is
 * already blurred. `along` and `across` are the steps to the next pixel of a line and to the next line.
 * Source: Crete, Dolmiere, Ladret and Nicolas, The blur effect (2007); the value is 1 minus their measure.
 */
function detail({ data, side }: Plane, along: number, across: number) {
  let before = 0
  let lost = 0
  for (let line = 0; line < side; line++) {
    const start = line * across
    for (let i = BLUR; i < side; i++) {
      const entering = start + i * along
      const middle = entering - HALF_BLUR * along
      const difference = Math.abs(data[middle]! - data[middle - along]!)
      // The running mean changes by the entering and the leaving pixel.
      const blurred = Math.abs(data[entering]! - data[entering - BLUR * along]!) / BLUR
      before += difference
      lost += Math.max(0, difference - blurred)
    }
  }
  return before === 0 ? 0 : lost / before
}

/** A face as the measures see it: on the photo, and cut out. */
interface MeasuredFace extends CutFace {
  readonly photo: Photo
  /** In upright pixels of the photo. */
  readonly box: Box
}

/** Networks of the measures. */
export interface DetailModels {
  readonly liveness: Liveness
}

type Measure<Detail> = (face: MeasuredFace, models: DetailModels) => Detail | Promise<Detail>

/** The measure of each detail. Another detail is one line here. */
const MEASURES: { readonly [Name in FaceDetail]: Measure<FaceDetails[Name]> } = {
  quality: face => qualityOf(face),
  liveness: ({ photo, box }, models) => models.liveness(photo, box),
}

/** The requested details of a face. */
export async function detailsOf(
  face: MeasuredFace,
  models: DetailModels,
  requested: { readonly [Name in FaceDetail]?: boolean | undefined },
): Promise<FaceDetails> {
  const names = FACE_DETAIL_NAMES.filter(name => requested[name])
  const details = await Promise.all(names.map(async name => [name, await MEASURES[name](face, models)]))
  return Object.fromEntries(details)
}
