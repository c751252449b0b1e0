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
  /** In the same pixels: the person's right eye, the left one, then what else the detector sees. */
  readonly points: readonly Point[]
}

/** A face whose box is known, and what the detector that found it says of it, if one did. */
export type Located = Pick<Detection, 'box'> & Partial<Detection>

export interface Detector {
  /** Faces of at least LIMITS.faceSide pixels a side, surest first. */
  detect(photo: Photo): Promise<Detection[]>
}

/** How far the line through a detected face's eyes is turned clockwise, in radians. */
export const rollOf = ({ points }: Pick<Detection, 'points'>): number =>
  clockwiseAngle(points[0]!, points[1]!)
