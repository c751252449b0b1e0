/** Searches a gallery for the person of a stored face. */
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import type { StoredFace } from '../../metadata/queries/faces.ts'
import { existingGalleries } from '../../metadata/queries/galleries.ts'
import { closestFaces } from '../search/closest-faces.ts'
import { requireComplete, requireShards } from '../search/required-shards.ts'
import type { Services } from '../services.ts'

/** A matching face and its confidence, 0..1. */
export interface GalleryMatch {
  face: number
  confidence: number
}

/**
 * The faces of a gallery that match a stored face, by descending confidence; at most ALERT_LIMITS.matches. The face itself is no
 * match. Undefined when the gallery or the vector of the face does not exist. Rejects with StoreUnavailable unless all vectors
 * can be searched.
 */
export async function galleryMatches(
  services: Services,
  { id, owner }: Pick<StoredFace, 'id' | 'owner'>,
  { gallery, threshold }: { gallery: string; threshold: number },
): Promise<GalleryMatch[] | undefined> {
  const isThere =
    gallery === DEFAULT_GALLERY || (await existingGalleries(services.database, owner, [gallery])).has(gallery)
  const probe = isThere && (await services.vectors.get({ gallery: storeGallery(owner, DEFAULT_GALLERY), id }))
  if (!probe) return undefined
  requireComplete(services.missingVectors, true)
  const search = { owner, gallery, threshold, limit: ALERT_LIMITS.matches }
  const found = await closestFaces(services, { ...search, accepts: face => face.id !== id }, probe)
  requireShards(found, true)
  return found.faces
    .slice(0, ALERT_LIMITS.matches)
    .map(({ face, confidence }) => ({ face: face.id, confidence }))
}
