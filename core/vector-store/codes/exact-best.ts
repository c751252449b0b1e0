/** Exact answers out of approximate scans: candidates are compared until none that was left out could be better. */
import { BestCandidates } from '../best.ts'
import { dot, unitVector } from '../unit-vector.ts'
import type { Candidate } from '../vector-store.ts'
import type { Scanned } from './scan.ts'

/** Candidates beyond the limit that the first scan collects: most searches are proved by them. */
const SPARE = 54

/** How much wider each further scan is: it collects what can still be among the best, and seldom that much. */
const WIDER = 64

/** Candidates whose vectors are read at once, beyond the first. */
const READ_AT_ONCE = 16

export interface ExactBounds {
  limit: number
  minScore: number
}

/** The best `wanted` rows, but those whose cosine is surely below `minScore`; deterministic for the same rows. */
export type Scan = (wanted: number, minScore: number) => Scanned

/** The vectors as they were added, in the order of the ids; undefined for one that is gone. */
export type ReadVectors = (ids: readonly number[]) => readonly (Float32Array | undefined)[]

/**
 * The best candidates of what the scan looks at, with the exact score of each: by falling score, equal scores by rising
 * id, none below `minScore`. `unit` is the probe.
 */
export function exactBest(
  unit: Float32Array,
  bounds: ExactBounds,
  scan: Scan,
  read: ReadVectors,
): Candidate[] {
  const best = new BestCandidates(bounds)
  const compared = new Set<number>()
  for (let wanted = bounds.limit + SPARE; ; wanted *= WIDER) {
    const { candidates, complete, floor, error } = scan(wanted, Math.max(bounds.minScore, best.bar))
    const unread = candidates.filter(({ id }) => !compared.has(id))
    let from = 0
    // Strict: a candidate whose score is equal may come first by its id.
    while (from < unread.length && unread[from]!.score + error >= best.bar) {
      const some = unread.slice(from, from + (from === 0 ? bounds.limit : READ_AT_ONCE))
      const ids = some.filter(({ score }) => score + error >= best.bar).map(({ id }) => id)
      for (const [i, vector] of read(ids).entries()) {
        compared.add(ids[i]!)
        if (vector) best.offer(ids[i]!, cosine(unit, vector))
      }
      from += ids.length
    }
    if (complete || floor + error < best.bar) return best.ranked()
  }
}

/** Rounding can carry the product of two unit vectors past the cosine's range. */
const cosine = (unit: Float32Array, vector: Float32Array): number =>
  Math.max(-1, Math.min(1, dot(unit, unitVector(vector), 0)))
