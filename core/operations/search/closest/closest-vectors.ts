/** Finds the stored vectors closest to a probe by score: widens the search until no other vector can have a greater score. */
import { leastScore } from '../../../calibration/scale.ts'
import type { Shards } from '../../../vector-store/vector-store.ts'
import type { Services } from '../../services.ts'

/** Extra candidates beyond the limit, for vectors of deletions in progress and for ties at the limit. */
const SPARE_CANDIDATES = 16

/** Each further round doubles the number of candidates, but adds at most this many. */
const MAX_INCREASE = 10_000

/** A found vector with its score. */
export interface CloseVector {
  id: number
  /** Ranks candidates. See calibration/scale.ts. */
  score: number
  /** 0..1, four decimals. */
  confidence: number
}

/** A search of one gallery of the store. */
interface VectorSearch {
  /** Name of the gallery in the store. */
  gallery: string
  /** Least confidence. */
  threshold: number
  limit: number
  /** Searches only the space `linear`. */
  linearOnly?: boolean
}

/** Result of one search of the store. */
interface Round extends Shards {
  /** Vectors at or above the threshold that were not in an earlier round, in no order. */
  fresh: CloseVector[]
  /** Upper bound of the scores of all other vectors; -Infinity when no other vector reaches the threshold. */
  rest: number
  withIndex: boolean
}

/** Orders by descending score, then ascending id. */
const byScore = (a: CloseVector, b: CloseVector) => b.score - a.score || a.id - b.id

/** Searches with more and more candidates. Ends with a round whose `rest` is -Infinity; the caller can stop earlier. */
async function* rounds(
  { vectors, scale }: Pick<Services, 'vectors' | 'scale'>,
  { gallery, threshold, limit, linearOnly = false }: VectorSearch,
  probe: Float32Array,
): AsyncGenerator<Round, void> {
  const minScore = leastScore(scale, threshold)
  const seen = new Set<number>()
  for (let wanted = limit + SPARE_CANDIDATES; ; ) {
    const { candidates, ...found } = await vectors.search(gallery, probe, {
      limit: wanted,
      minScore,
      linearOnly,
    })
    const fresh = candidates
      .filter(({ id }) => !seen.has(id))
      .map(({ id, score }) => ({ id, score, confidence: scale.confidence(score) }))
    for (const { id } of fresh) seen.add(id)
    const last = candidates.length < wanted ? undefined : candidates.at(-1)
    yield {
      ...found,
      fresh: fresh.filter(({ confidence }) => confidence >= threshold),
      rest: last?.score ?? Number.NEGATIVE_INFINITY,
    }
    if (!last) return
    wanted += Math.min(wanted, MAX_INCREASE)
  }
}

/** Closest vectors by descending score, then ascending id; and the shards that took part. */
export interface Closest<Found> extends Shards {
  found: Found[]
  withIndex: boolean
}

/**
 * The closest vectors that `accept` returns; at least `limit` if there are so many, possibly more. Rejects with VectorRefused when
 * the probe is not a valid vector.
 */
export async function closestAccepted<Found extends CloseVector>(
  services: Pick<Services, 'vectors' | 'scale'>,
  search: VectorSearch,
  probe: Float32Array,
  accept: (fresh: CloseVector[]) => Promise<Found[]> | Found[],
): Promise<Closest<Found>> {
  const found: Found[] = []
  const sum = { live: Number.POSITIVE_INFINITY, total: 0, withIndex: false }
  for await (const { fresh, rest, live, total, withIndex } of rounds(services, search, probe)) {
    found.push(...(await accept(fresh)))
    // A vector that was added between two rounds can be closer than the vectors of earlier rounds.
    found.sort(byScore)
    Object.assign(sum, {
      live: Math.min(sum.live, live),
      total,
      withIndex: sum.withIndex || withIndex,
    })
    if ((found[search.limit - 1]?.score ?? Number.NEGATIVE_INFINITY) >= rest) break
  }
  return { ...sum, found }
}

/** Returns at most `limit` vectors. Rejects with VectorRefused when the probe is not a valid vector. */
export async function closestVectors(
  services: Pick<Services, 'vectors' | 'scale'>,
  search: VectorSearch,
  probe: Float32Array,
): Promise<Closest<CloseVector>> {
  const closest = await closestAccepted(services, search, probe, fresh => fresh)
  return { ...closest, found: closest.found.slice(0, search.limit) }
}
