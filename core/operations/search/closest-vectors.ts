/** The stored vectors closest to a probe by what their scores mean: searched until nothing unseen could be closer. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Comparisons, leastCosine } from '../../calibration/scale.ts'
import type { Candidate, Shards } from '../../vector-store/vector-store.ts'
import type { Services } from '../services.ts'

/** Candidates asked for beyond the limit: for those that are just being deleted, and for ties at the limit. */
const SPARE = 16

/** The same where scores rank otherwise than cosines do. */
const SPARE_RANKED_ANEW = 240

/** A search that found too little is repeated for twice as many candidates, but for at most so many more. */
const MOST_MORE = 10_000

/** Candidates that are scored before others get their turn, where it takes computing: some milliseconds' worth. */
const SCORED_AT_ONCE = 32

export interface CloseVector {
  id: number
  /** What it is ranked by; see calibration/scale.ts. */
  score: number
  /** 0..1, four decimals. */
  confidence: number
}

export interface VectorSearch {
  /** The store's name of the gallery. */
  gallery: string
  /** Least confidence. */
  threshold: number
  limit: number
  /** Looks at the space `linear` alone. */
  linearOnly?: boolean
}

/** What one search of the store has added. */
export interface Round extends Shards {
  /** Those that reach the threshold and were not in an earlier round; in no order. */
  fresh: CloseVector[]
  /** No vector that is in no round yet has a greater score; -Infinity when there is none left that reaches the threshold. */
  rest: number
  withIndex: boolean
}

/** By falling score, equal scores by rising id. */
export const byScore = (a: CloseVector, b: CloseVector): number => b.score - a.score || a.id - b.id

/** Ever wider searches, until the caller has enough or there is nothing left: a round whose `rest` is -Infinity is the last. */
export async function* rounds(
  { vectors, scale }: Pick<Services, 'vectors' | 'scale'>,
  { gallery, threshold, limit, linearOnly = false }: VectorSearch,
  probe: Float32Array,
): AsyncGenerator<Round, void> {
  const comparisons = scale.with(probe)
  const { needsVectors } = comparisons
  const minScore = leastCosine(comparisons, threshold)
  const seen = new Set<number>()
  for (let wanted = limit + (needsVectors ? SPARE_RANKED_ANEW : SPARE); ; ) {
    const bounds = { limit: wanted, minScore, linearOnly, withVectors: needsVectors }
    const { candidates, ...found } = await vectors.search(gallery, probe, bounds)
    const unseen = candidates.filter(({ id }) => !seen.has(id))
    const fresh = await closeVectors(comparisons, unseen)
    for (const { id } of fresh) seen.add(id)
    const last = candidates.length < wanted ? undefined : candidates.at(-1)
    yield {
      ...found,
      fresh: fresh.filter(({ confidence }) => confidence >= threshold),
      rest: last ? comparisons.greatestScore(last.score) : Number.NEGATIVE_INFINITY,
    }
    if (!last) return
    wanted += Math.min(wanted, MOST_MORE)
  }
}

async function closeVectors(
  { needsVectors, score, confidence }: Comparisons,
  candidates: readonly Candidate[],
): Promise<CloseVector[]> {
  const found: CloseVector[] = []
  for (const { id, score: cosine, vector } of candidates) {
    const own = score(cosine, vector)
    found.push({ id, score: own, confidence: confidence(own) })
    if (needsVectors && found.length % SCORED_AT_ONCE === 0) await nextTurn()
  }
  return found
}

/** What is closest, and how much of the store it was found in. */
export interface ClosestVectors extends Shards {
  /** By falling score, equal scores by rising id. */
  vectors: CloseVector[]
  withIndex: boolean
}

/** At most `limit` of them. Rejects with VectorRefused when the probe can't be compared. */
export async function closestVectors(
  services: Pick<Services, 'vectors' | 'scale'>,
  search: VectorSearch,
  probe: Float32Array,
): Promise<ClosestVectors> {
  const found: CloseVector[] = []
  const sum = { live: Number.POSITIVE_INFINITY, total: 0, withIndex: false }
  for await (const { fresh, rest, live, total, withIndex } of rounds(services, search, probe)) {
    found.push(...fresh)
    found.sort(byScore)
    Object.assign(sum, {
      live: Math.min(sum.live, live),
      total,
      withIndex: sum.withIndex || withIndex,
    })
    if ((found[search.limit - 1]?.score ?? Number.NEGATIVE_INFINITY) >= rest) break
  }
  return { ...sum, vectors: found.slice(0, search.limit) }
}
