/** The stored faces closest to a probe: what a search of the store finds, as far as it exists and is asked for. */
import { DEFAULT_GALLERY, storeGallery } from '../../contract/model/gallery.ts'
import { facesById, type StoredFace } from '../../metadata/queries/faces.ts'
import type { Shards } from '../../vector-store/vector-store.ts'
import type { Services } from '../services.ts'
import { type CloseVector, rounds } from './closest-vectors.ts'
import { friendRule } from './friends.ts'

export interface CloseFace {
  /** What it is ranked by; see calibration/scale.ts. */
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
export interface ClosestFaces extends Shards {
  /** By falling score, equal scores by rising id. At least `limit` of them when there are so many, and perhaps more. */
  faces: CloseFace[]
}

/** Parts of the store that are away are not waited for: whether that is good enough is the caller's to decide. */
export async function closestFaces(
  services: Services,
  search: Search,
  probe: Float32Array,
): Promise<ClosestFaces> {
  const { owner, gallery, threshold, limit } = search
  const found: CloseFace[] = []
  const shards = { live: Number.POSITIVE_INFINITY, total: 0 }
  const vectorSearch = { gallery: storeGallery(owner, gallery), threshold, limit }
  for await (const { fresh, rest, live, total } of rounds(services, vectorSearch, probe)) {
    found.push(...(await existing(services, search, fresh)))
    // What is enrolled between two searches can be closer than what the first one found.
    found.sort((a, b) => b.score - a.score || a.face.id - b.face.id)
    Object.assign(shards, { live: Math.min(shards.live, live), total })
    if ((found[limit - 1]?.score ?? Number.NEGATIVE_INFINITY) >= rest) break
  }
  return { faces: found, ...shards }
}

/**
 * The candidates whose face exists and is in the gallery: a vector without one is of an enrolment, a change or a
 * deletion under way.
 */
async function existing(
  services: Services,
  { owner, gallery, accepts = () => true }: Search,
  candidates: readonly CloseVector[],
): Promise<CloseFace[]> {
  const ids = candidates.map(({ id }) => id)
  const stored = await facesById(services.database, friendRule(services), owner, ids)
  const faces = new Map(stored.map(face => [face.id, face]))
  return candidates.flatMap(({ id, score, confidence }) => {
    const face = faces.get(id)
    return face && isIn(face, gallery) && accepts(face) ? [{ score, confidence, face }] : []
  })
}

const isIn = ({ galleries }: StoredFace, gallery: string): boolean =>
  gallery === DEFAULT_GALLERY || galleries.includes(gallery)
