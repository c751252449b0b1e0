/** Changes the meta, the person and the galleries of a stored face, and its vectors in these galleries. */
import { badParam, ServiceError } from '../../contract/errors.ts'
import { DEFAULT_GALLERY, type GalleryChange } from '../../contract/model/gallery.ts'
import { facePersonOf } from '../../contract/model/person.ts'
import type { Change, RpcResponse } from '../../contract/rpc/operations.ts'
import { commitFaceChange } from '../metadata/queries/enrolments.ts'
import { faceById, type StoredFace } from '../metadata/queries/faces.ts'
import { insertIntents } from '../metadata/queries/intents.ts'
import { completeVectors } from './consistency/gallery-vectors.ts'
import { withIntent } from './consistency/intent-log.ts'
import { getFace } from './faces.ts'
import { checkGalleries, namedGalleries } from './galleries.ts'
import { friendRule } from './search/friends.ts'
import { retryOnShardLoss } from './search/required-shards.ts'
import type { Services } from './services.ts'

/**
 * Changes the given fields and returns the changed face. Throws NOT_FOUND, and BAD_PARAM for an unknown gallery.
 *
 * Vectors are added before the transaction of the metadata and removed after it. A crash in between leaves a vector in a
 * gallery without the face. Searches ignore this vector, and reconciliation removes it by its intent.
 */
export async function updateFace(
  services: Services,
  request: Change<'face.update'>,
): Promise<RpcResponse<'face.update'>> {
  const { owner, id, galleries: change } = request
  return retryOnShardLoss(async () => {
    // Wait for shards before taking the lock: other requests would wait for the lock.
    if (change) await services.vectors.reach([id])
    // The lock prevents lost updates of concurrent changes of one face.
    return services.ownerLock(owner, async revision => {
      const face = await faceById(services.database, friendRule(services), owner, id)
      if (!face) throw new ServiceError('NOT_FOUND')
      if (change) await refuseUnknown(services, owner, change)
      await applyChange(services, face, request, revision)
      return getFace(services, { owner, id })
    })
  })
}

async function refuseUnknown(
  services: Services,
  owner: string,
  { kind, names }: GalleryChange,
): Promise<void> {
  if (kind === 'del' && names.includes(DEFAULT_GALLERY)) {
    throw badParam('galleries', DEFAULT_GALLERY, 'Every face is in the gallery "default".')
  }
  await checkGalleries(services, { owner, galleries: names, param: 'galleries' })
}

async function applyChange(
  services: Services,
  face: StoredFace,
  { meta, personId: sent, galleries: change }: Change<'face.update'>,
  revision: number | undefined,
): Promise<void> {
  const { owner, id } = face
  // An edge of an earlier version sends digits as a text.
  const personId = sent === undefined ? undefined : facePersonOf(sent)
  const galleries = change ? galleriesAfter(face.galleries, change) : face.galleries
  const joined = galleries.filter(name => !face.galleries.includes(name))
  const left = face.galleries.filter(name => !galleries.includes(name))
  const person = typeof personId === 'number' ? { owner, id: personId, meta: meta ?? face.meta } : undefined
  const changed = await withIntent(services, async work => {
    if (joined.length > 0) {
      await insertIntents(services.database, work, [{ owner, id, galleries: joined }])
      // No vector in `default`: the face is being deleted. A deletion removes the row before the vectors.
      if (!(await completeVectors(services.vectors, face, joined))) throw new ServiceError('NOT_FOUND')
    }
    return commitFaceChange(services.database, {
      work,
      owner,
      id,
      meta,
      personId,
      person,
      galleries: change && galleries,
      left,
      revision,
    })
  })
  if (!changed) await throwMissing(services, face, galleries)
}

/** Named galleries after the change, sorted. */
function galleriesAfter(now: readonly string[], { kind, names }: GalleryChange): string[] {
  switch (kind) {
    case 'add':
      return namedGalleries([...now, ...names])
    case 'del':
      return now.filter(name => !names.includes(name))
    case 'set':
      return namedGalleries(names)
  }
}

/** Throws NOT_FOUND when the face was deleted in the meantime, else BAD_PARAM: a gallery was deleted. */
async function throwMissing(
  services: Services,
  { owner, id }: StoredFace,
  galleries: readonly string[],
): Promise<never> {
  await getFace(services, { owner, id })
  throw badParam('galleries', galleries, 'A gallery was deleted meanwhile.')
}

/** Handlers of this file by the names of their messages. */
export const faceUpdateHandlers = {
  'face.update': updateFace,
}
