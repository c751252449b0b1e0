/** Makes the calibration of a site: a cohort of its people, and the table of what scores beside it mean. */
import type { Calibration } from '../../models/calibrations.ts'
import { LIMITS } from '../contract/limits.ts'
import { THRESHOLDS } from '../contract/model/thresholds.ts'
import { dot } from '../vector-store/unit-vector.ts'
import { type CohortRecord, cohortOf, scoreIn, standingIn } from './cohort.ts'
import { pairScores } from './pairs.ts'
import { halves, mergeAlike, type Person, spread } from './people.ts'
import type { SiteCalibration } from './site-scale.ts'
import { greatestOf, tailScore } from './tail.ts'

/** The pictures can't make a calibration, and why, for the operator. */
export class CalibrationRefused extends Error {
  override readonly name = 'CalibrationRefused'
}

export interface MadeCalibration extends SiteCalibration {
  /** People that were named but are others too, and therefore one with them. */
  readonly merged: number
  /** Comparisons of strangers that the table was read off. */
  readonly strangers: number
}

/**
 * Strangers of each half are compared beside a cohort of the other half, so that nobody is measured beside himself. What
 * they score makes the table; the cohort that is kept is of all. Throws CalibrationRefused for fewer people than
 * LIMITS.calibrationPeople.
 */
export function makeCalibration(named: readonly Person[]): MadeCalibration {
  const people = mergeAlike(named)
  if (people.length < LIMITS.calibrationPeople)
    throw new CalibrationRefused(
      `Pictures of ${LIMITS.calibrationPeople} different people are needed to say what one stranger in 100,000 scores; these are of ${people.length}.`,
    )
  const [first, second] = halves(people)
  const scores = joined(
    strangersScores(first, membersOf(second)),
    strangersScores(second, membersOf(first)),
  ).sort()
  return {
    cohort: membersOf(people),
    table: tableOf(scores),
    merged: named.length - people.length,
    strangers: scores.length,
  }
}

/** One picture of each, of so many people as a cohort has. */
const membersOf = (people: readonly Person[]): CohortRecord =>
  cohortOf(spread(people, LIMITS.cohort).map(person => person[0]!))

function strangersScores(people: readonly Person[], cohort: CohortRecord): Float32Array {
  const faces = people.map(person => person.map(unit => ({ unit, standing: standingIn(cohort, unit) })))
  return pairScores(faces, (a, b) => scoreIn(cohort, dot(a.unit, b.unit, 0), a.standing, b.standing))
    .strangers
}

function joined(a: Float32Array, b: Float32Array): Float32Array {
  const all = new Float32Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

/** Through the contract's named thresholds; certain where the tail, going on as it does, would leave one in ten million. */
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
