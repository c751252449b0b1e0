/** The detector interface: its results and the operations that every detector offers. */
import type { Box } from '../../contract/model/bbox.ts'
import { clockwiseAngle, type Point, type Size } from '../imaging/geometry.ts'
import type { Photo } from '../imaging/orientation.ts'

/** A face found on a photo. */
export interface Detection {
  /** Upright full-size pixels, not rounded. */
  readonly box: Box
  /** Probability of a face, 0..1. */
  readonly score: number
  /** In the same pixels: the person's right eye, left eye, then others. Absent when the network gives only boxes. */
  readonly points?: readonly Point[]
}

/** A face with a known box. It has a score and points if the detector found it. */
export type Located = Pick<Detection, 'box' | 'points'> & Partial<Detection>

/** Returns the same photo with a raster of at least this scale. The previous raster must not be read afterwards. */
export type PhotoAtScale = (scale: number) => Promise<Photo>

/**
 * The faces that the caller needs. `biggest`: the biggest face and faces of comparable size. `clear`: faces that the overview
 * finds. Small and turned faces may be missing.
 */
export type WantedFaces = 'all' | 'biggest' | 'clear'

/** The result of a detection. */
export interface DetectedFaces {
  /** Sorted by falling score. */
  readonly faces: readonly Detection[]
  /** Faces below the least side, as far as the passes show them. They are not reported. */
  readonly tooSmall: readonly Detection[]
  /** True: the photo has more candidates than are judged. Faces may be missing. */
  readonly limited: boolean
}

export interface Detector {
  /**
   * Finds faces with sides of at least PHOTO_LIMITS.detectedFaceSide pixels. Calls `sharper` when a larger raster is
   * needed; without `sharper`, the given raster serves every pass. With `biggest`, detection may omit faces of less than
   * a quarter of the area of the biggest one.
   */
  detect(photo: Photo, sharper?: PhotoAtScale, wanted?: WantedFaces): Promise<DetectedFaces>
  /**
   * The scale that the second pass requests from `sharper` for a photo of this size; 0 for detectors without a second
   * pass.
   */
  refinedScale(size: Size): number
}

/** Bounds that replace the defaults: minimum score, and minimum side in photo pixels. */
export interface DetectionBounds {
  readonly leastScore?: number
  readonly leastSide?: number
}

/** Logistic function, and its inverse for scores of 0..1. */
export const probability = (logit: number): number => 1 / (1 + Math.exp(-logit))
export const logOdds = (score: number): number => {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, score))
  return Math.log(bounded / (1 - bounded))
}

/** Clockwise angle of the line from the right to the left eye, in radians. */
export const rollOf = (points: readonly Point[]): number => clockwiseAngle(points[0]!, points[1]!)
