/** How good a picture of a face is for recognition: what the detector, the landmarks and the chip tell. */
import { type Box, shorterSide } from '../../core/contract/model/bbox.ts'
import type { Quality } from '../../core/contract/model/quality.ts'
import type { FaceChip } from '../alignment/align.ts'
import { fivePointsOf } from '../alignment/five-points.ts'
import type { Point } from '../imaging/geometry.ts'
import { tonesOf } from '../imaging/tones.ts'
import { poseOf } from '../landmarks/pose.ts'
import { qualityScore } from './quality-score.ts'

/** All that is known of a face once it is cut out. */
export interface CutFace {
  readonly box: Box
  /** The detector's; absent where the box is the caller's. */
  readonly score?: number
  /** 68 of them or five, in pixels of the photo. */
  readonly points: readonly Point[]
  readonly chip: FaceChip
  /** Of the chip, in pixels. */
  readonly side: number
}

/** Shares have four decimals, degrees one. */
export function qualityOf({ box, score, points, chip, side }: CutFace): Quality {
  const { sharpness, brightness, contrast } = tonesOf(chip, side)
  const { yaw, pitch, roll } = poseOf(fivePointsOf(points))
  const measures = {
    ...(score === undefined ? {} : { score: rounded(score, 4) }),
    size: Math.max(1, Math.round(shorterSide(box))),
    sharpness: rounded(sharpness, 4),
    brightness: rounded(brightness, 4),
    contrast: rounded(contrast, 4),
    yaw: rounded(yaw, 1),
    pitch: rounded(pitch, 1),
    roll: rounded(roll, 1),
  }
  return { quality: rounded(qualityScore(measures), 4), ...measures }
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
