/** The scale of a calibrated site: scores normalized by its cohort, and confidences by its table. */
import type { Calibration } from '../../models/calibrations.ts'
import { type CohortRecord, cohortStatistics, greatestScoreIn, scoreIn } from './cohort.ts'
import { calibrated, fourDecimals, type Scale } from './scale.ts'
import { StatisticsCache } from './statistics-cache.ts'

/** The calibration of a site. */
export interface SiteCalibration {
  readonly cohort: CohortRecord
  /** From normalized scores to confidences. */
  readonly table: Calibration
}

/** The scale of a site. Embeddings of another length than the cohort's are from elsewhere and use the pack's scale. */
export function siteScale({ cohort, table }: SiteCalibration, pack: Scale): Scale {
  const standings = new StatisticsCache(embedding => cohortStatistics(cohort, embedding))
  const confidence = calibrated(table)
  return {
    with(probe) {
      if (probe.length !== cohort.dimension) return pack.with(probe)
      const own = standings.of(probe)
      return {
        needsVectors: true,
        score(cosine, vector) {
          if (!vector) throw new Error('a score beside a cohort needs both embeddings')
          // Rounding can make the product of two unit vectors exceed 1.
          return scoreIn(cohort, Math.min(1, cosine), own, standings.of(vector))
        },
        greatestScore: cosine => greatestScoreIn(cohort, cosine, own),
        confidence: score => fourDecimals(confidence(score)),
      }
    },
  }
}
