/** What a detector finds on a photo, and what every detector can be asked. */
import type { Box } from '../../core/contract/model/bbox.ts'
import { clockwiseAngle, type Point } from '../imaging/geometry.ts'
import type { Photo } from '../imaging/image.ts'
import type { Size } from './tiling.ts'

/** A face found on a photo. */
export interface Detection {
  /** Upright full-size pixels, not rounded. */
  readonly box: Box
  /** 0..1, how surely this is a face. */
  readonly score: number
  /** In the same pixels: the person's right eye, the left one, then others; absent where the network gives only boxes. */
  readonly points?: readonly Point[]
}

/** Scores below this are not faces. */
export const MIN_SCORE = 0.5

/** A face whose box is known, and what the detector says of it if it found the face itself. */
export type Located = Pick<Detection, 'box' | 'points'> & Partial<Detection>

/** Gives the same photo with a raster of at least this share of its size. The raster given before must not be read any more. */
export type PhotoAtScale = (scale: number) => Promise<Photo>

/** Which of a photo's faces the caller needs. */
export type WantedFaces = 'all' | 'biggest'

/** The faces of a photo. */
export interface DetectedFaces {
  /** Surest first. */
  readonly faces: readonly Detection[]
  /** True: the photo has more places to examine than LIMITS.closerPixels allows. Small faces may be missing. */
  readonly limited: boolean
}

export interface Detector {
  /**
   * Faces of at least LIMITS.detectedFaceSide pixels a side. Asks `sharper` for a larger raster where it needs one; without it
   * the photo's raster is all there is. With `biggest`, one large and sure face is enough: smaller ones may be missing.
   */
  detect(photo: Photo, sharper?: PhotoAtScale, wanted?: WantedFaces): Promise<DetectedFaces>
  /** The scale that a second pass over a photo of this size asks `sharper` for; 0 where there is never a second pass. */
  refinedScale(size: Size): number
}

/** Bounds that a caller may set instead of the usual ones: the least score, and the least side in photo pixels. */
export interface DetectionBounds {
  readonly leastScore?: number
  readonly leastSide?: number
}

/** How far the line through a detected face's eyes is turned clockwise, in radians. */
export const rollOf = (points: readonly Point[]): number => clockwiseAngle(points[0]!, points[1]!)
