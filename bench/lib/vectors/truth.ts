/** Judges search results against the samples of the probe's person. */

import { dot } from '#core/vector-store/unit-vector.ts'
import { times } from '#test/support/times.ts'
import { KNOWN_PROBES, PROBES, type SyntheticFaces } from './synthetic.ts'

/**
 * Minimum cosine between probe and sample. Lower ones cannot be told from strangers and are not expected in results.
 */
const LEAST_COSINE = 0.4

export interface Truth {
  /** Processes rows. It keeps only samples of people with a probe. */
  note(firstRow: number, rows: Float32Array): void
  /** Share of the true pairs of probe and sample that were found, 0..1. `found` has the ids of each probe; undefined without a search. */
  hitOf(probes: Float32Array, found: readonly (readonly number[] | undefined)[]): number
}

export function truthOf(faces: SyntheticFaces, dimension: number): Truth {
  const probedPeople = new Set(times(KNOWN_PROBES, probe => faces.personOfProbe(probe)))
  const samples = new Map<number, { row: number; vector: Float32Array }[]>()

  /** Rows of the probe's person that are close enough. */
  const trueRows = (probes: Float32Array, probe: number): number[] => {
    const vector = vectorAt(probes, probe, dimension)
    return (samples.get(faces.personOfProbe(probe)!) ?? [])
      .filter(sample => dot(vector, sample.vector, 0) >= LEAST_COSINE)
      .map(({ row }) => row)
  }

  return {
    note(firstRow, rows) {
      for (let i = 0; i < rows.length / dimension; i++) {
        const person = faces.personOf(firstRow + i)
        if (!probedPeople.has(person)) continue
        const known = samples.get(person) ?? []
        known.push({ row: firstRow + i, vector: rows.slice(i * dimension, (i + 1) * dimension) })
        samples.set(person, known)
      }
    },
    hitOf(probes, found) {
      let [pairs, hits] = [0, 0]
      for (const [probe, ids] of found.slice(0, KNOWN_PROBES).entries()) {
        if (!ids) continue
        const rows = trueRows(probes, probe)
        pairs += rows.length
        hits += rows.filter(row => ids.includes(row)).length
      }
      return hits / pairs
    },
  }
}

/** A copy of one of the vectors in sequence. */
export const vectorAt = (vectors: Float32Array, at: number, dimension: number): Float32Array<ArrayBuffer> =>
  Float32Array.from(vectors.subarray(at * dimension, (at + 1) * dimension))

/** Share of the reference's results that were found, over probes that both have; NaN without any. */
export function recallOf(
  found: readonly (readonly number[] | undefined)[],
  reference: readonly (readonly number[] | undefined)[],
): number {
  let [all, there] = [0, 0]
  for (let probe = 0; probe < PROBES; probe++) {
    const [ids, best] = [found[probe], reference[probe]]
    if (!ids || !best) continue
    all += best.length
    there += best.filter(id => ids.includes(id)).length
  }
  return there / all
}
