/** What calibrating is worth, on people that it has not seen. */
import type { Calibration } from '../../models/manifest.ts'
import { LIMITS } from '../contract/limits.ts'
import { dot } from '../store/unit-vector.ts'
import { standingIn } from './cohort.ts'
import { makeCalibration } from './make.ts'
import { pairScores } from './pairs.ts'
import { halves, mergeAlike, type Person } from './people.ts'
import { type Rates, ratesOf } from './rates.ts'
import { siteScore } from './site-scale.ts'
import { calibrated } from './table.ts'

export interface Gain {
  /** People who were compared: those that were held back. */
  people: number
  /** By the pack's own table, and by a calibration that was made of the other half. */
  pack: Rates
  site: Rates
}

/** Calibrates with every other person and compares the others. Undefined where a half is too few to calibrate with. */
export function gainOf(named: readonly Person[], pack: Calibration): Gain | undefined {
  const [given, held] = halves(mergeAlike(named))
  if (given.length < LIMITS.calibrationPeople) return undefined
  const { cohort, table } = makeCalibration(given)
  const faces = held.map(person => person.map(unit => ({ unit, standing: standingIn(cohort, unit) })))
  const byCosine = pairScores(held, (a, b) => dot(a, b, 0))
  const byCohort = pairScores(faces, (a, b) =>
    siteScore(cohort, dot(a.unit, b.unit, 0), a.standing, b.standing),
  )
  return {
    people: held.length,
    pack: ratesOf(byCosine, calibrated(pack)),
    site: ratesOf(byCohort, calibrated(table)),
  }
}
