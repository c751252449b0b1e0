/** A face that a detector found, and what every detector can be asked. */
import type { Box } from '../core/contract/bbox.ts'
import { clockwiseAngle, type Point } from './geometry.ts'
import type { Photo } from './image.ts'

/** A face found on a photo. */
export interface Detection {
  /** Upright full-size pixels, not rounded. */
  readonly box: Box
  /** 0..1, how surely this is a face. */
  readonly score: number
  /** In the same pixels: the person's right eye, the left one, then what else was seen; absent where only the box was. */
  readonly points?: readonly Point[]
}

/** Scores below this are not faces. */
export const LEAST_SCORE = 0.5

/** A face whose box is known, and what the detector that found it says of it, if one did. */
export type Located = Pick<Detection, 'box' | 'points'> & Partial<Detection>

/** The same photo, with a raster of at least this share of its size; what was given before must not be read any more. */
export type Sharper = (scale: number) => Promise<Photo>

/** Which of a photo's faces somebody asks for. */
export type Wanted = 'all' | 'biggest'

export interface Detector {
  /**
   * Faces of at least LIMITS.faceSide pixels a side, surest first. Where the raster does not show all of them well
   * enough, `sharper` is asked for more; without it the raster is all there is. Where only the `biggest` is wanted it need
   * not look for the others.
   */
  detect(photo: Photo, sharper?: Sharper, wanted?: Wanted): Promise<Detection[]>
}

/** What is found, for whoever wants more or less of it: from which score, and from how many pixels a side on. */
export interface Least {
  readonly leastScore?: number
  readonly leastSide?: number
}

/** How far the line through a detected face's eyes is turned clockwise, in radians. */
export const rollOf = (points: readonly Point[]): number => clockwiseAngle(points[0]!, points[1]!)
