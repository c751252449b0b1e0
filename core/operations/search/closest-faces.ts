/** Finds the stored faces closest to a probe: candidates of the store whose faces exist and are accepted. */
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { friendRule } from '../../metadata/queries/event-conditions.ts'
import { facesById, type StoredFace } from '../../metadata/queries/faces.ts'
import type { Shards } from '../../vector-store/vector-store.ts'
import type { Services } from '../services.ts'
import { type CloseVector, rounds } from './closest-vectors.ts'

/** A found face with its score. */
export interface CloseFace {
  /** Ranks candidates. See calibration/scale.ts. */
  score: number
  /** 0..1, four decimals. */
  confidence: number
  face: StoredFace
}

/** A search of one gallery of an owner. */
export interface Search {
  owner: string
  gallery: string
  /** Least confidence. */
  threshold: number
  limit: number
  /** Further filter of faces in the gallery. Default: all. */
  accepts?: (face: StoredFace) => boolean
}

/** Found faces, and the shards that took part. */
export interface ClosestFaces extends Shards {
  /** By descending score, then ascending id. At least `limit` faces if the gallery contains them, possibly more. */
  faces: CloseFace[]
}

/** Does not wait for unavailable shards. The caller decides whether the result suffices. */
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
    // A face enrolled between two rounds can be closer than those of earlier rounds.
    found.sort((a, b) => b.score - a.score || a.face.id - b.face.id)
    Object.assign(shards, { live: Math.min(shards.live, live), total })
    if ((found[limit - 1]?.score ?? Number.NEGATIVE_INFINITY) >= rest) break
  }
  return { faces: found, ...shards }
}

/**
 * Candidates whose face exists, is in the gallery and is accepted. A vector without a face belongs to an enrolment, a change
 * or a deletion in progress.
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
