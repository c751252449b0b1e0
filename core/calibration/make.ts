/** Makes the calibration of a site: a cohort of its people, and a table from normalized scores to confidences. */
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import { THRESHOLDS } from '../../contract/model/face.ts'
import type { Calibration } from '../../models/calibrations.ts'
import { dot } from '../vector-store/unit-vector.ts'
import { type CohortRecord, cohortOf, cohortStatistics, scoreIn } from './cohort.ts'
import {
  greatestOf,
  halves,
  mergeAlike,
  type PairScores,
  type Person,
  pairScores,
  spread,
  tailScore,
} from './people.ts'

/** A calibration that cannot be made or used. The message states the reason for the operator. */
export class CalibrationRefused extends Error {
  override readonly name = 'CalibrationRefused'
}

/** The calibration of a site. */
export interface SiteCalibration {
  readonly cohort: CohortRecord
  /** From normalized scores to confidences. */
  readonly table: Calibration
}

export interface MadeCalibration extends SiteCalibration {
  /** Number of named people who were merged with others. */
  readonly merged: number
  /** Number of comparisons of strangers that the table is based on. */
  readonly strangers: number
}

/**
 * Compares the strangers of each half with a cohort of the other half: no face is normalized by its own person. The
 * scores give the table; the stored cohort is of all people. Throws CalibrationRefused for fewer people than
 * PACK_LIMITS.calibrationPeople.
 */
export function makeCalibration(named: readonly Person[]): MadeCalibration {
  const people = mergeAlike(named)
  if (people.length < PACK_LIMITS.calibrationPeople)
    throw new CalibrationRefused(
      `Pictures of ${PACK_LIMITS.calibrationPeople} different people are needed to say what one stranger in 100,000 scores; these are of ${people.length}.`,
    )
  const [first, second] = halves(people)
  const scores = joined(
    cohortScores(first, membersOf(second)).strangers,
    cohortScores(second, membersOf(first)).strangers,
  ).sort()
  return {
    cohort: membersOf(people),
    table: tableOf(scores),
    merged: named.length - people.length,
    strangers: scores.length,
  }
}

/** A cohort of one picture each of at most PACK_LIMITS.cohort people. */
const membersOf = (people: readonly Person[]): CohortRecord =>
  cohortOf(spread(people, PACK_LIMITS.cohort).map(person => person[0]!))

/** Normalized scores of all pairs of pictures. */
export function cohortScores(people: readonly Person[], cohort: CohortRecord): PairScores {
  const faces = people.map(person => person.map(unit => ({ unit, standing: cohortStatistics(cohort, unit) })))
  return pairScores(faces, (a, b) => scoreIn(cohort, dot(a.unit, b.unit, 0), a.standing, b.standing))
}

function joined(a: Float32Array, b: Float32Array): Float32Array {
  const all = new Float32Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

/**
 * A table through the contract's named thresholds. Confidence 1 lies where the extrapolated false match rate is one in
 * ten million.
 */
function tableOf(rising: Float32Array): Calibration {
  const low = greatestOf(rising, 1e-1)
  const medium = greatestOf(rising, 1e-3)
  const strict = tailScore(rising, 1e-5)
  const table: Calibration = [
    [rising[0]!, 0],
    [low, THRESHOLDS.low],
    [medium, THRESHOLDS.medium],
    [strict, THRESHOLDS.strict],
    [strict + (strict - medium), 1],
  ]
  if (!table.every(([score], i) => i === 0 || score > table[i - 1]![0]))
    throw new CalibrationRefused('The pictures are too much alike: are they faces of different people?')
  return table
}
