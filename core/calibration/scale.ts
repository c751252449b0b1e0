/** Defines scores and confidences for the API and the store: cosine -> score -> confidence. */
import { hash } from 'node:crypto'
import { THRESHOLDS } from '../../contract/model/face.ts'
import type { Calibration, CalibrationName, Calibrations } from '../../models/calibrations.ts'

/**
 * Maps scores to confidences, 0..1, by linear interpolation between the table's rows, constant beyond its first and
 * last row. Never falls when the score rises. A table is valid only for the embedder that it was measured for.
 */
export function calibrationCurve(table: Calibration): (score: number) => number {
  const [first, last] = [table[0]!, table.at(-1)!]
  return score => {
    if (!(score > first[0])) return first[1]
    const above = table.findIndex(([upper]) => score <= upper)
    if (above < 0) return last[1]
    const [[x0, y0], [x1, y1]] = [table[above - 1]!, table[above]!]
    return y0 + ((score - x0) / (x1 - x0)) * (y1 - y0)
  }
}

/** How this installation reads scores. A score is the cosine of two embeddings. */
export interface Scale {
  /** Differs between scales whose confidences cannot be compared. */
  readonly label: string
  /**
   * The calibrated confidence, 0..1, rounded to the four decimals that responses and thresholds use. Never falls when
   * the score rises.
   */
  confidence(score: number): number
  /** The cosines that any two strangers reach at the rates of the named thresholds, whatever table the confidences have. */
  readonly strangers: Anchors
}

/** Cosines at the false match rates of the named thresholds. */
type Anchors = Readonly<Record<'low' | 'medium' | 'strict', number>>

/** A scale by a function that maps scores to 0..1 and never falls. */
export function cosineScale(
  confidenceOf: (score: number) => number,
  label = 'cosine',
  strangers?: Anchors,
): Scale {
  const confidence = (score: number) => fourDecimals(confidenceOf(score))
  return { label, confidence, strangers: strangers ?? anchorsOf({ confidence }) }
}

const anchorsOf = (scale: Pick<Scale, 'confidence'>): Anchors => ({
  low: leastScore(scale, THRESHOLDS.low),
  medium: leastScore(scale, THRESHOLDS.medium),
  strict: leastScore(scale, THRESHOLDS.strict),
})

/** The scale with a table of a pack. `balanced`: the pack's table of any two strangers. */
export const tableScale = (table: Calibration, balanced: Calibration = table): Scale =>
  cosineScale(calibrationCurve(table), labelOf(table), anchorsOf({ confidence: calibrationCurve(balanced) }))

/** Label of the scale with a table. */
const labelOf = (table: Calibration) => hash('sha256', JSON.stringify(table)).slice(0, 16)

export const fourDecimals = (value: number): number => Math.round(value * 1e4) / 1e4

/** Bisection steps after which no float32 cosine lies between the bounds. */
const BISECTION_STEPS = 40

/** A score below which no embedding reaches this confidence; -1 when all scores may reach it. */
export function leastScore({ confidence }: Pick<Scale, 'confidence'>, threshold: number): number {
  if (confidence(-1) >= threshold) return -1
  let [below, above] = [-1, 1]
  for (let i = 0; i < BISECTION_STEPS; i++) {
    const middle = (below + above) / 2
    if (confidence(middle) >= threshold) above = middle
    else below = middle
  }
  return below
}

export interface CalibrationReport {
  readonly pack: string
  /** The table from scores to confidences that is in use. */
  readonly table: CalibrationName
  /** Confidences of the named thresholds. */
  readonly thresholds: typeof THRESHOLDS
  /** The pack's tables, with the false and true match rates at each threshold. */
  readonly calibrations: Calibrations
}

export const reportOf = (
  { name, embedder }: { name: string; embedder: { calibration: Calibrations } },
  table: CalibrationReport['table'],
): CalibrationReport => ({
  pack: name,
  table,
  thresholds: THRESHOLDS,
  calibrations: embedder.calibration,
})
