/** Exact results from approximate scans: compares candidates until no omitted row can score better. */
import { BestCandidates } from '../best-candidates.ts'
import { cosine } from '../unit-vector.ts'
import type { Candidate, SearchBounds } from '../vector-store.ts'
import type { Scanned } from './scan.ts'

/** Candidates beyond the limit in the first scan. One of a hundred searches among a million needs a second scan. */
const SPARE_CANDIDATES = 118

/** Growth factor of each further scan. A scan collects only rows that can be among the best: seldom as many. */
const SCAN_GROWTH = 64

/** Vectors per read after the first read. */
const READ_AT_ONCE = 16

/**
 * Vectors beyond the limit that are compared at most. A gallery with more copies of one vector, as of a poster before a camera, must
 * not hold up other searches.
 */
export const MOST_COMPARED = 10_000

/**
 * Returns the best `wanted` rows without rows whose cosine is certainly below `minScore`. Deterministic for the same
 * rows.
 */
type Scan = (wanted: number, minScore: number) => Scanned

/** Reads stored vectors in the order of the ids; undefined for a missing or damaged one. */
type ReadVectors = (ids: readonly number[]) => readonly (Float32Array | undefined)[]

/**
 * The best of the scanned rows with their exact scores, by falling score, then by rising id, none below `minScore`.
 * `unit` is the probe. Of more than MOST_COMPARED rows with nearly equal scores, some are left out.
 */
export function exactBest(
  unit: Float32Array,
  bounds: SearchBounds,
  scan: Scan,
  read: ReadVectors,
): Candidate[] {
  const best = new BestCandidates(bounds)
  const compared = new Set<number>()
  const isEnough = () => compared.size >= bounds.limit + MOST_COMPARED
  for (let wanted = bounds.limit + SPARE_CANDIDATES; ; wanted *= SCAN_GROWTH) {
    const { candidates, complete, floor, error } = scan(wanted, Math.max(bounds.minScore, best.bar))
    const unread = candidates.filter(({ id }) => !compared.has(id))
    let from = 0
    // Not `>`: a candidate with an equal score can rank first by its id.
    while (from < unread.length && unread[from]!.score + error >= best.bar && !isEnough()) {
      const some = unread.slice(from, from + (from === 0 ? bounds.limit : READ_AT_ONCE))
      const ids = some.filter(each => each.score + each.error >= best.bar).map(({ id }) => id)
      for (const [i, vector] of read(ids).entries()) {
        compared.add(ids[i]!)
        if (vector) best.offer(ids[i]!, cosine(unit, vector))
      }
      from += some.length
    }
    if (complete || floor + error < best.bar || isEnough()) return best.ranked()
  }
}
