/** Deletes faces with their vectors and pictures, galleries, and owners with all their data. */
import { environment, sleep } from '../../../contract/environment.ts'
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { DEFAULT_GALLERY, GALLERY_OF_OWNER } from '../../../contract/model/gallery.ts'
import type { Change, RpcResponse } from '../../../contract/operations/messages.ts'
import { deletedOwners, deleteOwner, deleteSomeOfOwner } from '../../metadata/access/owners.ts'
import { deleteFaces, deleteSomeOfGallery } from '../../metadata/face-changes/deletions.ts'
import { type FaceFilter, nextFaceIds } from '../../metadata/faces/faces.ts'
import type { IntentOperation } from '../../metadata/faces/intents.ts'
import { deletedGalleries, markGalleryDeleted, nextMembers } from '../../metadata/galleries/galleries.ts'
import { recordPersonChange } from '../../metadata/persons/person-changes.ts'
import { galleryFilter, unknownGallery } from '../galleries/galleries.ts'
import type { Services, Stores } from '../services.ts'
import { type IntentServices, ignoreUnavailable, recordDeletion, withDeletion } from './intent-log.ts'
import { completePersonDeletion, refuseDuringChange } from './person-changes.ts'

/**
 * Writes the entry of the audit log with this response. A deletion calls it while its intents are there: if core dies before, their
 * reconciliation writes an entry. A restore must not bring the faces back.
 */
type RecordResponse<Response> = (response: Response) => Promise<void>

interface Recording<Response> {
  record?: RecordResponse<Response>
  /** See FACE_LIMITS.deletionAnswerMs. */
  answerMs?: number
}

const unrecorded = async () => {}

/** Deletes a face. Throws NOT_FOUND. No search returns the face once its row is deleted, even if a later step fails. */
export async function deleteFace(
  services: Services,
  { owner, id }: Change<'face.delete'>,
  { record = unrecorded }: Recording<RpcResponse<'face.delete'>> = {},
): Promise<RpcResponse<'face.delete'>> {
  const deleted = await deleteMatching(services, owner, { id }, () => record({}))
  if (deleted.length === 0) throw new ServiceError('NOT_FOUND')
  return {}
}

/** Deletes all faces with exactly this meta, in all galleries or in one. It is no error if there are none. */
export async function deleteFacesWithMeta(
  services: Services,
  { owner, meta, gallery }: Change<'faces.delete-with-meta'>,
  { record = unrecorded, answerMs }: Recording<RpcResponse<'faces.delete-with-meta'>> = {},
): Promise<RpcResponse<'faces.delete-with-meta'>> {
  const filter = await galleryFilter(services, owner, gallery)
  const which = { meta, ...filter }
  return { faces: await deleteMatching(services, owner, which, faces => record({ faces }), answerMs) }
}

/**
 * Deletes a person and all faces of the person. Throws NOT_FOUND. Ends under the lock of the owner: an enrolment that has chosen the
 * person must not store its face after the deletion. After a crash, reconciliation completes the deletion.
 */
export async function deletePerson(
  services: Services,
  { owner, id }: Change<'person.delete'>,
  {
    record = unrecorded,
    answerMs = FACE_LIMITS.deletionAnswerMs,
  }: Recording<RpcResponse<'person.delete'>> = {},
): Promise<RpcResponse<'person.delete'>> {
  await reachStoresOfFaces(services, owner, { person: id })
  const faces = await withDeletion(
    services,
    owner,
    async work => {
      const recorded = { operation: work.id, owner, person: id }
      const isKnown = await services.ownerLock(owner, async revision => {
        await refuseDuringChange(services, owner, [id])
        return recordPersonChange(
          services.database,
          { ...recorded, change: { kind: 'delete' } },
          work.core,
          revision,
        )
      })
      if (!isKnown) throw new ServiceError('NOT_FOUND')
      return completePersonDeletion(services, work, recorded, faces => record({ faces }))
    },
    answerMs,
  )
  return { faces }
}

/** Deletes the matching faces, records them, and returns their ids. */
async function deleteMatching(
  services: Services,
  owner: string,
  which: FaceFilter,
  record: RecordResponse<number[]>,
  answerMs: number = FACE_LIMITS.deletionAnswerMs,
): Promise<number[]> {
  const { database } = services
  await reachStoresOfFaces(services, owner, which)
  return withDeletion(
    services,
    owner,
    async work => {
      const faces = await deleteFaces(database, work, owner, which)
      if (faces.length > 0) await record(faces)
      return faces
    },
    answerMs,
  )
}

/**
 * Deletes a gallery and its faces; the faces leave all galleries. The gallery disappears for its owner at once. A deletion
 * that takes longer than `answerMs` continues in the background, and after a crash at the next start.
 */
export async function deleteGallery(
  services: Services,
  { owner, gallery }: Change<'gallery.delete'>,
  answerMs: number = FACE_LIMITS.deletionAnswerMs,
): Promise<RpcResponse<'gallery.delete'>> {
  const { database } = services
  if (gallery === DEFAULT_GALLERY) {
    throw badParam('gallery', gallery, 'The gallery "default" cannot be deleted.')
  }
  await reachStoresOf(services, (above, limit) => nextMembers(database, owner, gallery, above, limit))
  if (!(await markGalleryDeleted(database, owner, gallery)))
    throw new ServiceError('NOT_FOUND', { reason: await unknownGallery(database, owner, gallery) })
  const deletion = deleteMarkedGallery(services, { owner, name: gallery })
  deletion.catch(() => {})
  await Promise.race([deletion, sleep(answerMs, { ref: false })])
  return {}
}

/** Completes deletions of galleries that a crash or an error interrupted. Returns the number of galleries. */
export async function finishGalleryDeletions(services: IntentServices): Promise<number> {
  const marked = await deletedGalleries(services.database)
  for (const gallery of marked) await deleteMarkedGallery(services, gallery)
  return marked.length
}

/**
 * Deletes the faces of a gallery that is marked as deleted, in batches: one transaction for 100,000 faces would block other
 * requests. The mark stays until the gallery is empty, and a restart continues.
 */
const deleteMarkedGallery = (services: IntentServices, gallery: { owner: string; name: string }) =>
  deleteInBatches(services, { owner: gallery.owner, because: 'gallery.delete' }, work =>
    deleteSomeOfGallery(services.database, work, gallery, FACE_LIMITS.reconcileBatch),
  )

/** Calls `deleteSome` until it returns no faces, and records the deleted faces in the audit log. */
const deleteInBatches = (
  services: IntentServices,
  why: { owner: string; because: string },
  deleteSome: (work: IntentOperation) => Promise<number[]>,
) =>
  withDeletion(services, why.owner, async work => {
    // The database client does not yield to the event loop. `setImmediate` lets other requests run.
    for (;;) {
      const faces = await services.diskSpace.deleting(() => deleteSome(work))
      if (faces.length === 0) return
      await recordDeletion(services, { ...why, faces })
      await environment.turn()
    }
  })

const reachStoresOfFaces = (services: Services, owner: string, which: FaceFilter) =>
  reachStoresOf(services, (above, limit) => nextFaceIds(services.database, owner, which, above, limit))

/** Rejects with StoreUnavailable or PicturesUnavailable when a shard of these faces, or the pictures, are unavailable. */
async function reachStoresOf(
  { vectors, pictures }: Pick<Services, 'vectors' | 'pictures'>,
  nextIds: (above: number, limit: number) => Promise<number[]>,
) {
  for (let above = -1; ; ) {
    const ids = await nextIds(above, FACE_LIMITS.reconcileBatch)
    const last = ids.at(-1)
    if (last === undefined) return
    await pictures.reach()
    await vectors.reach(ids)
    await environment.turn()
    above = last
  }
}

/**
 * Deletes the data of owners that are marked as deleted, then the owners. Returns the number of deleted owners. An owner with
 * remaining data, for example on an unavailable shard or bucket, stays marked for the next call.
 */
export async function finishOwnerDeletions(services: IntentServices): Promise<number> {
  let count = 0
  for (const owner of await deletedOwners(services.database))
    if (await deleteOwnerData(services, owner)) count++
  return count
}

async function deleteOwnerData(services: IntentServices, owner: string) {
  await deleteInBatches(services, { owner, because: 'owner.delete' }, work =>
    deleteSomeOfOwner(services.database, work, owner, FACE_LIMITS.reconcileBatch),
  )
  const emptied = await removeGalleryVectors(services, owner)
    .then(() => services.pictures.removeAll(owner))
    .then(() => true, ignoreUnavailable)
  if (!emptied) return false
  if (!(await deleteOwner(services.database, owner))) return false
  await services.record({ actor: 'service', action: 'owner.gone', owner })
  return true
}

/** Removes vectors without a face, which store operators added to galleries of the owner. */
async function removeGalleryVectors({ vectors }: Stores, owner: string) {
  for (const { gallery } of await vectors.galleries()) {
    if (GALLERY_OF_OWNER.exec(gallery)?.[1] !== owner) continue
    for (;;) {
      const { vectors: some } = await vectors.list(gallery, 0, FACE_LIMITS.reconcileBatch)
      if (some.length === 0) break
      await vectors.remove(some.map(({ id }) => ({ gallery, id })))
      await environment.turn()
    }
  }
}

export const deletionHandlers = {
  'face.delete': deleteFace,
  'faces.delete-with-meta': deleteFacesWithMeta,
  'gallery.delete': (services: Services, request: Change<'gallery.delete'>) =>
    deleteGallery(services, request),
  'person.delete': deletePerson,
}
