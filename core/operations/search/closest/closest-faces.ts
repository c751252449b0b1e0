/** Finds the stored faces closest to a probe: candidates of the store whose faces exist, are accepted, and are not set aside. */
import { DEFAULT_GALLERY, storeGallery } from '../../../../contract/model/gallery.ts'
import { friendRule } from '../../../metadata/faces/event-conditions.ts'
import { facesById, type StoredFace } from '../../../metadata/faces/faces.ts'
import type { Services } from '../../services.ts'
import { type Closest, type CloseVector, closestAccepted } from './closest-vectors.ts'

/** A found face with its score. */
interface CloseFace extends CloseVector {
  face: StoredFace
}

/** A search of one gallery of an owner. */
interface Search {
  owner: string
  gallery: string
  /** Least confidence. */
  threshold: number
  limit: number
  /** Further filter of faces in the gallery. Default: all. */
  accepts?: (face: StoredFace) => boolean
}

/**
 * At least `limit` faces if the gallery contains them. Does not wait for unavailable shards: the caller decides whether the
 * result suffices.
 */
export function closestFaces(
  services: Services,
  search: Search,
  probe: Float32Array,
): Promise<Closest<CloseFace>> {
  const { owner, gallery, threshold, limit } = search
  const vectorSearch = { gallery: storeGallery(owner, gallery), threshold, limit }
  return closestAccepted(services, vectorSearch, probe, fresh => existing(services, search, fresh))
}

/**
 * Candidates whose face exists, is in the gallery, is accepted and is not set aside. A vector without a face belongs to an enrolment, a change
 * or a deletion in progress.
 */
async function existing(
  services: Services,
  { owner, gallery, accepts = () => true }: Search,
  candidates: readonly CloseVector[],
): Promise<CloseFace[]> {
  const ids = candidates.map(({ id }) => id)
  const faces = await facesById(services.database, friendRule(services), owner, ids)
  return candidates.flatMap(candidate => {
    const face = faces.get(candidate.id)
    return face && face.review !== 'set_aside' && isIn(face, gallery) && accepts(face)
      ? [{ ...candidate, face }]
      : []
  })
}

const isIn = ({ galleries }: StoredFace, gallery: string) =>
  gallery === DEFAULT_GALLERY || galleries.includes(gallery)
