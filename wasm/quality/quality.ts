/** Measures the quality of a face picture from detection, landmarks and chip. */
import { type Box, shorterSide } from '../../contract/model/bbox.ts'
import type { Quality } from '../../contract/model/quality.ts'
import type { FaceChip } from '../alignment/align.ts'
import { fivePointsOf } from '../alignment/five-points.ts'
import type { Point } from '../imaging/geometry.ts'
import { tonesOf } from '../imaging/tones.ts'
import { poseOf } from '../landmarks/pose.ts'
import { qualityScore } from './quality-score.ts'

/** The data of a face after cutting. */
export interface CutFace {
  readonly box: Box
  /** Score of the detector; absent for a box of the caller. */
  readonly score?: number
  /** 68 landmarks or five points, in pixels of the photo. */
  readonly points: readonly Point[]
  readonly chip: FaceChip
  /** Side of the chip, in pixels. */
  readonly side: number
}

/** Measures and scores the face. Fractions are rounded to four decimals, degrees to one. */
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
