/** The scale of a calibrated site: scores set beside those of its cohort, and the table that goes with them. */
import type { Calibration } from '../../models/calibrations.ts'
import { type CohortRecord, greatestScoreIn, scoreIn, standingIn } from './cohort.ts'
import { KeptStandings } from './kept-standings.ts'
import { fourDecimals, type Scale } from './scale.ts'
import { calibrated } from './table.ts'

/** What a calibration of a site comes to. */
export interface SiteCalibration {
  readonly cohort: CohortRecord
  /** From scores beside the cohort to confidences. */
  readonly table: Calibration
}

/** Embeddings of another length than the cohort's come from elsewhere, and are compared by the pack's scale. */
export function siteScale({ cohort, table }: SiteCalibration, pack: Scale): Scale {
  const standings = new KeptStandings(embedding => standingIn(cohort, embedding))
  const confidence = calibrated(table)
  return {
    with(probe) {
      if (probe.length !== cohort.dimension) return pack.with(probe)
      const own = standings.of(probe)
      return {
        needsVectors: true,
        score(cosine, vector) {
          if (!vector) throw new Error('a score beside a cohort needs both embeddings')
          // Rounding can carry the product of two unit vectors past 1.
          return scoreIn(cohort, Math.min(1, cosine), own, standings.of(vector))
        },
        greatestScore: cosine => greatestScoreIn(cohort, cosine, own),
        confidence: score => fourDecimals(confidence(score)),
      }
    },
  }
}
