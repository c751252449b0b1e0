/** The stored faces closest to a probe: what a search of the store finds, as far as it exists and is asked for. */
import { DEFAULT_GALLERY, storeGallery } from '../contract/gallery.ts'
import { facesById, type StoredFace } from '../metadata/faces.ts'
import type { Shards } from '../store/store.ts'
import { confidenceOf } from './confidence.ts'
import { friendRule } from './friends.ts'
import type { Parts } from './parts.ts'

/** Candidates asked for beyond the limit: for those that are just being deleted, and for ties at the limit. */
const SPARE = 16

/** A search that found too little is repeated for twice as many candidates, but for at most so many more. */
const MOST_MORE = 10_000

export interface CloseFace {
  /** Of the comparison: -1..1. */
  score: number
  /** 0..1, four decimals. */
  confidence: number
  face: StoredFace
}

export interface Search {
  owner: string
  gallery: string
  /** Least confidence. */
  threshold: number
  limit: number
  /** Whether a face in the gallery is one of those asked for; all are when absent. */
  accepts?: (face: StoredFace) => boolean
}

/** What was found, and how much of the store it was found in. */
export interface Closest extends Shards {
  /** By falling score, equal scores by rising id. At least `limit` of them when there are so many, and perhaps more. */
  faces: CloseFace[]
}

/** Parts of the store that are away are not waited for: whether that is good enough is the caller's to decide. */
export async function closestFaces(parts: Parts, search: Search, probe: Float32Array): Promise<Closest> {
  const { owner, gallery, threshold, limit } = search
  const found: CloseFace[] = []
  const seen = new Set<number>()
  let fewest = Number.POSITIVE_INFINITY
  for (let wanted = limit + SPARE; ; wanted += Math.min(wanted, MOST_MORE)) {
    const bounds = { limit: wanted, minScore: -1 }
    const { candidates, live, total } = await parts.vectors.search(
      storeGallery(owner, gallery),
      probe,
      bounds,
    )
    fewest = Math.min(fewest, live)
    const close = candidates
      .map(({ id, score }) => ({ id, score, confidence: confidenceOf(parts, score) }))
      .filter(({ confidence }) => confidence >= threshold)
    const fresh = close.filter(({ id }) => !seen.has(id))
    found.push(...(await existing(parts, search, fresh)))
    // Nothing is left to find when the gallery, or what reaches the threshold, is at its end.
    const exhausted = candidates.length < wanted || close.length < candidates.length
    if (found.length >= limit || exhausted) {
      return { faces: found.sort(byScore), live: fewest, total }
    }
    for (const { id } of fresh) seen.add(id)
  }
}

// What is enrolled between two searches can be closer than what the first one found.
const byScore = (a: CloseFace, b: CloseFace): number => b.score - a.score || a.face.id - b.face.id

/**
 * The candidates whose face exists and is in the gallery: a vector without one is of an enrolment, a change or a
 * deletion under way.
 */
async function existing(
  parts: Parts,
  { owner, gallery, accepts = () => true }: Search,
  candidates: readonly { id: number; score: number; confidence: number }[],
): Promise<CloseFace[]> {
  const ids = candidates.map(({ id }) => id)
  const stored = await facesById(parts.database, friendRule(parts), owner, ids)
  const faces = new Map(stored.map(face => [face.id, face]))
  return candidates.flatMap(({ id, score, confidence }) => {
    const face = faces.get(id)
    return face && isIn(face, gallery) && accepts(face) ? [{ score, confidence, face }] : []
  })
}

const isIn = ({ galleries }: StoredFace, gallery: string): boolean =>
  gallery === DEFAULT_GALLERY || galleries.includes(gallery)
