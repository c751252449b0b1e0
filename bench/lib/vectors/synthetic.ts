/** Generates synthetic embeddings: people with five samples each, and probes of known people and of strangers. */
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { rotationFactors, transformedValues } from '#wasm/kernels/kernels.ts'
import { normal } from '../../statistics.ts'

/** Samples per person. */
const SAMPLES = 5

/** Number of probes. Probes of known people come first. */
export const PROBES = 1000
export const KNOWN_PROBES = 800

/** Range of a sample's share of its person, uniform; the rest is noise. The cosine of two samples is about 0.66. */
const LEAST_LIKENESS = 0.72
const MOST_LIKENESS = 0.9

export interface SyntheticFaces {
  readonly people: number
  /** Yields unit vectors in row order, in pieces of vectors in sequence. */
  rows(): Generator<Float32Array>
  /** The person of a row. */
  personOf(row: number): number
  /** Unit vectors in sequence. */
  probes(): Float32Array
  /** The person of a probe; undefined for a stranger. */
  personOfProbe(probe: number): number | undefined
}

/** Rows per piece. */
const PIECE = 10_000

/**
 * Difference of the logarithms of the variances of two values in sequence. Source: vectors of the standard pack for 6,867 pictures
 * of LFW and UTKFace. Their logarithms differ from this line by at most 0.18.
 */
const DECAY = 0.0202

/**
 * A population whose values have falling variance, as in the standard pack (128 dimensions). The cosine of two people has a
 * standard deviation of about 0.1. With `even`, a rotation gives every value equal weight. `dimension` must be a multiple of 32.
 * Equal arguments give equal faces. `probes` may be called only after all `rows` were generated.
 */
export function syntheticFaces(dimension: number, count: number, even = false): SyntheticFaces {
  const people = Math.ceil(count / SAMPLES)
  const uniform = seededRandom(2 ** 16 * dimension + count)
  const gaussian = () => normal(uniform)
  const deviations = Float64Array.from({ length: dimension }, (_, i) => Math.exp((-DECAY * i) / 2))
  const factors = rotationFactors(dimension, () => (gaussian() < 0 ? 1 : 0))
  const placed = (vector: Float64Array) => (even ? rotated(vector, factors) : vector)
  const anyone = () => unit(deviations.map(deviation => gaussian() * deviation))
  const faces = new Float32Array(people * dimension)
  for (let person = 0; person < people; person++) faces.set(anyone(), person * dimension)

  const sample = (person: number): Float64Array => {
    const likeness = LEAST_LIKENESS + (MOST_LIKENESS - LEAST_LIKENESS) * uniform()
    const noise = Math.sqrt(1 - likeness * likeness)
    const other = anyone()
    for (let i = 0; i < dimension; i++) {
      other[i] = likeness * faces[person * dimension + i]! + noise * other[i]!
    }
    return unit(placed(other))
  }
  const personOf = (row: number) => row % people
  const personOfProbe = (probe: number) => (probe < KNOWN_PROBES ? (probe * 7919) % people : undefined)

  return {
    people,
    personOf,
    personOfProbe,
    *rows() {
      for (let from = 0; from < count; from += PIECE) {
        const rows = Math.min(PIECE, count - from)
        const piece = new Float32Array(rows * dimension)
        for (let row = 0; row < rows; row++) piece.set(sample(personOf(from + row)), row * dimension)
        yield piece
      }
    },
    probes() {
      const probes = new Float32Array(PROBES * dimension)
      for (let probe = 0; probe < PROBES; probe++) {
        const person = personOfProbe(probe)
        probes.set(person === undefined ? unit(placed(anyone())) : sample(person), probe * dimension)
      }
      return probes
    },
  }
}

/** The rotation of the store's binary codes: it spreads every direction over all values. */
function rotated(vector: Float64Array, factors: Float32Array) {
  const part = transformedValues(vector.length)
  for (let round = 0; round * vector.length < factors.length; round++) {
    for (let i = 0; i < vector.length; i++) vector[i]! *= factors[round * vector.length + i]!
    const first = round % 2 === 0 ? 0 : vector.length - part
    transform(vector.subarray(first, first + part))
  }
  return vector
}

/** Walsh-Hadamard transform. */
function transform(vector: Float64Array) {
  for (let half = 1; half < vector.length; half *= 2) {
    for (let block = 0; block < vector.length; block += 2 * half) {
      for (let i = block; i < block + half; i++) {
        const [a, b] = [vector[i]!, vector[i + half]!]
        vector[i] = a + b
        vector[i + half] = a - b
      }
    }
  }
}

function unit(vector: Float64Array) {
  let squares = 0
  for (const value of vector) squares += value * value
  const scale = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale
  return vector
}
