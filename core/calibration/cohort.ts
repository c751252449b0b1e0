/** A cohort: people of a site, one picture each, beside whom every face is measured before it is compared. */
import { dot, unitVector } from '../vector-store/unit-vector.ts'

/** How near a face is to those of a cohort who look most like it: mean and standard deviation of its cosines with them. */
export interface Standing {
  readonly mean: number
  readonly deviation: number
}

/** What is kept of a cohort. */
export interface CohortRecord {
  /** Unit vectors, one after the other. */
  readonly vectors: Float32Array
  /** Numbers of a vector. */
  readonly dimension: number
  /** The members' standings that count most at some cosine: no face's side of a score counts more. */
  readonly outermost: readonly Standing[]
}

/**
 * Mean and deviation are of this part of a cohort, its nearest: those of the face's own gender, group and age, where the
 * cohort has them. A half serves faces alone that are like most of the cohort. See docs/decisions/0052.
 */
const NEAREST = 0.05

/** The nearest members, which are left out: people of a cohort may be enrolled, and a face must not be measured beside its own person. */
const OWN = 1

/** Fewer cosines have no deviation worth the name. */
const LEAST_NEAREST = 2

/** Cosines at which the outermost standings are looked for. */
const STEPS = 2_000

/** Below the deviation of any face: a vector that is alike to the whole cohort, or is no face, must not divide by zero. */
const LEAST_DEVIATION = 1e-6

/** Makes a cohort of unit vectors, two at least. */
export function cohortOf(units: readonly Float32Array[]): CohortRecord {
  const dimension = units[0]!.length
  const vectors = new Float32Array(units.length * dimension)
  for (const [i, unit] of units.entries()) vectors.set(unit, i * dimension)
  const standings = units.map((unit, i) => standingOf(cosines(vectors, unit, i)))
  return { vectors, dimension, outermost: outermost(standings) }
}

/** The standing of an embedding of the cohort's length. Equal embeddings have equal standings, to the bit. */
export const standingIn = ({ vectors }: CohortRecord, embedding: Float32Array): Standing =>
  standingOf(cosines(vectors, unitVector(embedding)))

/**
 * The score of two faces, the same whichever is the probe: the mean of their sides. A side says how far the cosine is above
 * what is usual for that face, in deviations. It rises with the cosine.
 */
export function scoreIn(cohort: CohortRecord, cosine: number, a: Standing, b: Standing): number {
  const most = greatestSide(cohort, cosine)
  return (Math.min(above(cosine, a), most) + Math.min(above(cosine, b), most)) / 2
}

/** What no face scores above with this one while their cosine is no greater. */
export function greatestScoreIn(cohort: CohortRecord, cosine: number, standing: Standing): number {
  const most = greatestSide(cohort, cosine)
  return (Math.min(above(cosine, standing), most) + most) / 2
}

/** What no side counts above at this cosine: so no face, however odd, lifts strangers far, and searches know when to end. */
function greatestSide({ outermost }: CohortRecord, cosine: number): number {
  let greatest = Number.NEGATIVE_INFINITY
  for (const standing of outermost) greatest = Math.max(greatest, above(cosine, standing))
  return greatest
}

const above = (cosine: number, { mean, deviation }: Standing): number => (cosine - mean) / deviation

/** Cosines of a unit vector with the cohort's, but for the one at `without`. */
function cosines(vectors: Float32Array, unit: Float32Array, without = -1): Float64Array {
  const count = vectors.length / unit.length
  const found = new Float64Array(without < 0 ? count : count - 1)
  let at = 0
  for (let i = 0; i < count; i++) if (i !== without) found[at++] = dot(unit, vectors, i * unit.length)
  return found
}

function standingOf(cosines: Float64Array): Standing {
  const others = cosines.sort().subarray(0, Math.max(LEAST_NEAREST, cosines.length - OWN))
  const count = Math.max(LEAST_NEAREST, Math.ceil(others.length * NEAREST))
  const nearest = others.subarray(Math.max(0, others.length - count))
  const mean = nearest.reduce((sum, cosine) => sum + cosine, 0) / nearest.length
  const variance = nearest.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / nearest.length
  return { mean, deviation: Math.max(LEAST_DEVIATION, Math.sqrt(variance)) }
}

function outermost(standings: readonly Standing[]): Standing[] {
  const found = new Set<Standing>()
  for (let step = 0; step <= STEPS; step++) {
    const cosine = (2 * step) / STEPS - 1
    found.add(standings.reduce((best, one) => (above(cosine, one) > above(cosine, best) ? one : best)))
  }
  return [...found]
}
