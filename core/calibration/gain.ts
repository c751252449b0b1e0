/** What calibrating is worth, on people that it has not seen. */
import type { Calibration } from '../../models/calibrations.ts'
import { LIMITS } from '../contract/limits.ts'
import { dot } from '../store/unit-vector.ts'
import { scoreIn, standingIn } from './cohort.ts'
import { makeCalibration } from './make.ts'
import { pairScores } from './pairs.ts'
import { halves, mergeAlike, type Person } from './people.ts'
import { meanRates, type Rates, ratesOf } from './rates.ts'
import { calibrated } from './table.ts'

export interface Gain {
  /** By the pack's own table, and by a calibration that was made of other people: means over the halves. */
  pack: Rates
  site: Rates
}

/**
 * Calibrates with every other person and compares those that were held back; then the other way round. Undefined where a
 * half is too few to calibrate with.
 */
export function gainOf(people: readonly Person[], pack: Calibration): Gain | undefined {
  const [first, second] = halves(people)
  if ([first, second].some(half => mergeAlike(half).length < LIMITS.calibrationPeople)) return undefined
  const gains = [gainOn(second, first, pack), gainOn(first, second, pack)] as const
  return {
    pack: meanRates(gains[0].pack, gains[1].pack),
    site: meanRates(gains[0].site, gains[1].site),
  }
}

function gainOn(held: readonly Person[], given: readonly Person[], pack: Calibration): Gain {
  const { cohort, table } = makeCalibration(given)
  const faces = held.map(person => person.map(unit => ({ unit, standing: standingIn(cohort, unit) })))
  const byCosine = pairScores(held, (a, b) => dot(a, b, 0))
  const byCohort = pairScores(faces, (a, b) =>
    scoreIn(cohort, dot(a.unit, b.unit, 0), a.standing, b.standing),
  )
  return { pack: ratesOf(byCosine, calibrated(pack)), site: ratesOf(byCohort, calibrated(table)) }
}
