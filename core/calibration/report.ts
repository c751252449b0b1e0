/** What thresholds mean at this installation, as the statistics tell it: the tables of the pack, and which one counts. */
import type { CalibrationName, Calibrations } from '../../models/calibrations.ts'
import { THRESHOLDS } from '../contract/model/thresholds.ts'

export interface CalibrationReport {
  readonly pack: string
  /** What scores are turned into confidences by; `site` where the site is calibrated. */
  readonly table: CalibrationName | 'site'
  /** Confidences of the named thresholds. */
  readonly thresholds: typeof THRESHOLDS
  /** The pack's tables, and shares of strangers and of true pairs that reach each threshold. */
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
