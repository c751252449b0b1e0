/** Normalizes scores by a cohort: one picture each of people of a site (adaptive symmetric normalization, AS-norm). */
import { dot, unitVector } from '../vector-store/unit-vector.ts'

/** Cohort statistics of a face: mean and standard deviation of its cosines with the nearest members. */
export interface CohortStatistics {
  readonly mean: number
  readonly deviation: number
}

/** A cohort as it is stored. */
export interface CohortRecord {
  /** Unit vectors, concatenated. */
  readonly vectors: Float32Array
  /** Length of a vector. */
  readonly dimension: number
  /** The members' standings with the greatest side at some cosine. They limit the sides of all faces. */
  readonly outermost: readonly CohortStatistics[]
}

/**
 * Share of the cohort whose cosines give mean and deviation: the nearest members, which have the face's own gender,
 * group and age where the cohort has them. A share of one half serves only faces that resemble most of the cohort. See
 * docs/decisions/0018-calibration.md.
 */
const NEAREST = 0.05

/** Number of nearest members that are left out: a cohort member may be enrolled, and their own picture must not count. */
const OWN = 1

/** Least number of cosines for a deviation. */
const LEAST_NEAREST = 2

/** Number of cosines at which the outermost standings are searched. */
const STEPS = 2_000

/**
 * Lower bound of deviations, below that of any face. It avoids a division by zero for a vector that is equally similar
 * to the whole cohort, or is no face.
 */
const LEAST_DEVIATION = 1e-6

/** Makes a cohort of at least two unit vectors. */
export function cohortOf(units: readonly Float32Array[]): CohortRecord {
  const dimension = units[0]!.length
  const vectors = new Float32Array(units.length * dimension)
  for (const [i, unit] of units.entries()) vectors.set(unit, i * dimension)
  const standings = units.map((unit, i) => standingOf(cosines(vectors, unit, i)))
  return { vectors, dimension, outermost: outermost(standings) }
}

/** The standing of an embedding with the cohort's vector length. Equal embeddings have bitwise equal standings. */
export const cohortStatistics = ({ vectors }: CohortRecord, embedding: Float32Array): CohortStatistics =>
  standingOf(cosines(vectors, unitVector(embedding)))

/**
 * The score of two faces: the mean of their sides, regardless of which is the probe. A side is the distance of the
 * cosine from the face's mean, in deviations. It rises with the cosine.
 */
export function scoreIn(
  cohort: CohortRecord,
  cosine: number,
  a: CohortStatistics,
  b: CohortStatistics,
): number {
  const most = greatestSide(cohort, cosine)
  return (Math.min(above(cosine, a), most) + Math.min(above(cosine, b), most)) / 2
}

/** Upper bound of the score of this face with any other face at this cosine or below. */
export function greatestScoreIn(cohort: CohortRecord, cosine: number, standing: CohortStatistics): number {
  const most = greatestSide(cohort, cosine)
  return (Math.min(above(cosine, standing), most) + most) / 2
}

/**
 * Upper limit of sides at this cosine. The limit keeps an unusual face from raising strangers far, and lets searches
 * end early.
 */
function greatestSide({ outermost }: CohortRecord, cosine: number): number {
  let greatest = Number.NEGATIVE_INFINITY
  for (const standing of outermost) greatest = Math.max(greatest, above(cosine, standing))
  return greatest
}

const above = (cosine: number, { mean, deviation }: CohortStatistics): number => (cosine - mean) / deviation

/** Cosines of a unit vector with those of the cohort, except the one at index `without`. */
function cosines(vectors: Float32Array, unit: Float32Array, without = -1): Float64Array {
  const count = vectors.length / unit.length
  const found = new Float64Array(without < 0 ? count : count - 1)
  let at = 0
  for (let i = 0; i < count; i++) if (i !== without) found[at++] = dot(unit, vectors, i * unit.length)
  return found
}

function standingOf(cosines: Float64Array): CohortStatistics {
  const others = cosines.sort().subarray(0, Math.max(LEAST_NEAREST, cosines.length - OWN))
  const count = Math.max(LEAST_NEAREST, Math.ceil(others.length * NEAREST))
  const nearest = others.subarray(Math.max(0, others.length - count))
  const mean = nearest.reduce((sum, cosine) => sum + cosine, 0) / nearest.length
  const variance = nearest.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / nearest.length
  return { mean, deviation: Math.max(LEAST_DEVIATION, Math.sqrt(variance)) }
}

function outermost(standings: readonly CohortStatistics[]): CohortStatistics[] {
  const found = new Set<CohortStatistics>()
  for (let step = 0; step <= STEPS; step++) {
    const cosine = (2 * step) / STEPS - 1
    found.add(standings.reduce((best, one) => (above(cosine, one) > above(cosine, best) ? one : best)))
  }
  return [...found]
}

/** Number of slots, a power of two; 24 bytes each. A new entry replaces the previous one of its slot. */
const SLOTS = 2 ** 18

/** Caches cohort statistics by the embedding itself: enrolments and deletions need no invalidation. */
export class StatisticsCache {
  readonly #compute: (embedding: Float32Array) => CohortStatistics
  /** By slot: the embedding's hash (NaN in an empty slot), and its standing. */
  readonly #hashes = new Float64Array(SLOTS).fill(Number.NaN)
  readonly #means = new Float64Array(SLOTS)
  readonly #deviations = new Float64Array(SLOTS)

  constructor(compute: (embedding: Float32Array) => CohortStatistics) {
    this.#compute = compute
  }

  /** The bitwise result of `compute`, from the cache when it is there. */
  of(embedding: Float32Array): CohortStatistics {
    const hash = hashOf(embedding)
    const slot = hash % SLOTS
    if (this.#hashes[slot] === hash) return { mean: this.#means[slot]!, deviation: this.#deviations[slot]! }
    const standing = this.#compute(embedding)
    this.#hashes[slot] = hash
    this.#means[slot] = standing.mean
    this.#deviations[slot] = standing.deviation
    return standing
  }
}

/** 53 bits of two multiplicative hashes. The probability of a collision among a million embeddings is 1 in 18,000. */
function hashOf({ buffer, byteOffset, length }: Float32Array): number {
  const words = new Uint32Array(buffer, byteOffset, length)
  let [low, high] = [0x9e3779b9, 0x85ebca6b]
  for (let i = 0; i < length; i++) {
    low = Math.imul(low ^ words[i]!, 0x01000193)
    low ^= low >>> 15
    high = Math.imul(high ^ words[i]!, 0xc2b2ae35)
    high ^= high >>> 13
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
