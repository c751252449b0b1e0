/** Defines scores and confidences for the API and the store: cosine -> score -> confidence. */
import { createHash } from 'node:crypto'
import { THRESHOLDS } from '../../contract/model/face.ts'
import type { Calibration, CalibrationName, Calibrations } from '../../models/calibrations.ts'

/**
 * Maps scores to confidences, 0..1, by linear interpolation between the table's rows, constant beyond its first and
 * last row. Never falls when the score rises. A table is valid only for the embedder that it was measured for.
 */
export function calibrated(table: Calibration): (score: number) => number {
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
}

/** A scale by a function that maps scores to 0..1 and never falls. */
export const cosineScale = (confidence: (score: number) => number, label = 'cosine'): Scale => ({
  label,
  confidence: score => fourDecimals(confidence(score)),
})

/** The scale with a table of a pack. */
export const tableScale = (table: Calibration): Scale => cosineScale(calibrated(table), labelOf(table))

/** Label of the scale with a table. */
const labelOf = (table: Calibration): string =>
  createHash('sha256').update(JSON.stringify(table)).digest('hex').slice(0, 16)

export const fourDecimals = (value: number): number => Math.round(value * 1e4) / 1e4

/** Bisection steps after which no float32 cosine lies between the bounds. */
const HALVINGS = 40

/** A score below which no embedding reaches this confidence; -1 when all scores may reach it. */
export function leastScore({ confidence }: Scale, threshold: number): number {
  if (confidence(-1) >= threshold) return -1
  let [below, above] = [-1, 1]
  for (let i = 0; i < HALVINGS; i++) {
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
