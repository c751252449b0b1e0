/** Interpolates calibration tables: scores to confidences. */
import type { Calibration } from '../../models/calibrations.ts'

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
