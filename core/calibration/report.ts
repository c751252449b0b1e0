/** Reports for the statistics what thresholds mean at this installation: the pack's tables, and the table in use. */

import { THRESHOLDS } from '../../contract/model/thresholds.ts'
import type { CalibrationName, Calibrations } from '../../models/calibrations.ts'

export interface CalibrationReport {
  readonly pack: string
  /** The table from scores to confidences that is in use; `site` for a calibrated site. */
  readonly table: CalibrationName | 'site'
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
