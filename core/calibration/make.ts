/** Makes the calibration of a site: a table from the scores of its own people to confidences. */
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import { THRESHOLDS } from '../../contract/model/face.ts'
import type { Calibration } from '../../models/calibrations.ts'
import { dot } from '../vector-store/unit-vector.ts'
import { greatestOf, mergeAlike, type Person, pairScores, tailScore } from './people.ts'

/** A calibration that cannot be made or used. The message states the reason for the operator. */
export class CalibrationRefused extends Error {
  override readonly name = 'CalibrationRefused'
}

export interface MadeCalibration {
  readonly table: Calibration
  /** Number of named people who were merged with others. */
  readonly merged: number
  /** Number of comparisons of strangers that the table is based on. */
  readonly strangers: number
}

/** Compares all pictures of different people. Throws CalibrationRefused for fewer people than PACK_LIMITS.calibrationPeople. */
export function makeCalibration(named: readonly Person[]): MadeCalibration {
  const people = mergeAlike(named)
  if (people.length < PACK_LIMITS.calibrationPeople)
    throw new CalibrationRefused(
      `Pictures of ${PACK_LIMITS.calibrationPeople} different people are needed to say what one stranger in 100,000 scores; these are of ${people.length}.`,
    )
  const { strangers } = pairScores(people, (a, b) => dot(a, b, 0))
  return { table: tableOf(strangers), merged: named.length - people.length, strangers: strangers.length }
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
