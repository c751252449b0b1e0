/** Retention: deletes expired faces with their vectors and pictures. Some faces of ignored persons keep rows and vectors. */
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { deleteSpentCameras } from '../../metadata/cameras/cameras.ts'
import { deleteFaces } from '../../metadata/face-changes/deletions.ts'
import { forgetAnswers } from '../../metadata/face-changes/enrolments.ts'
import {
  facesOfSilent,
  markPicturesDeleted,
  nextExpired,
  type Retaining,
  retainingOwners,
} from '../../metadata/service/expired-faces.ts'
import {
  type IntentServices,
  ignoreUnavailable,
  recordDeletion,
  withDeletion,
} from '../consistency/intent-log.ts'
import { oldestKeptTime } from '../faces/repeated-enrolment.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'

/**
 * Deletes expired faces, their persons without other faces, and expired idempotency records. Of the faces by which persons to ignore
 * are recognised, it deletes the pictures. Returns the number of deleted faces. Rejects at the end with the first picture's error.
 */
export async function deleteExpiredFaces(services: IntentServices): Promise<number> {
  await forgetAnswers(services.database, oldestKeptTime(services))
  let deletedFaces = 0
  let failure: { error: unknown } | undefined
  for (const retaining of await retainingOwners(services.database)) {
    const { owner } = retaining
    for (let above: number | undefined = -1; above !== undefined; ) {
      const batch = await services.ownerLock(owner, revision =>
        deleteBatch(services, retaining, above!, revision),
      )
      if (batch.pictured.length > 0)
        // One file that cannot be deleted must not keep all later faces.
        await services
          .ownerLock(owner, revision => deletePictures(services, owner, batch.pictured, revision))
          .catch(error => {
            failure ??= { error }
          })
      deletedFaces += batch.deleted
      above = batch.last
      await environment.turn()
    }
    await deleteSpentCameras(services.database, owner)
  }
  if (failure) throw failure.error
  return deletedFaces
}

interface Batch {
  deleted: number
  /** Faces that stay, and have pictures. */
  pictured: number[]
  last: number | undefined
}

/** Deletes one batch. Call it under the lock of the owner: faces must not leave the expiring gallery during the call. */
async function deleteBatch(
  services: IntentServices,
  retaining: Retaining,
  above: number,
  revision: number | undefined,
): Promise<Batch> {
  const { database, now } = services
  const { owner } = retaining
  const { expired, last } = await nextExpired(database, retaining, now(), above, FACE_LIMITS.reconcileBatch)
  const persons = expired.flatMap(({ personId }) => (typeof personId === 'number' ? [personId] : []))
  const kept = await facesOfSilent(database, owner, persons)
  const ids = expired.map(({ id }) => id).filter(id => !kept.has(id))
  const pictured = expired.filter(({ id, hasPictures }) => kept.has(id) && hasPictures).map(({ id }) => id)
  if (ids.length === 0) return { deleted: 0, pictured, last }
  const faces = await services.diskSpace.deleting(() =>
    withDeletion(services, owner, async work => {
      const deleted = await deleteFaces(database, work, owner, { ids }, { persons, revision })
      // Empty when another core deleted the faces first.
      if (deleted.length > 0) await recordDeletion(services, { owner, faces: deleted, because: 'retention' })
      return deleted
    }),
  )
  return { deleted: faces.length, pictured, last }
}

/**
 * Deletes the pictures, then their marks. After a crash between these steps, and while the bucket is unavailable, the next run
 * finds the marks. Call it under the lock of the owner: no picture must be written during the call.
 */
const deletePictures = (
  { database, pictures, diskSpace }: IntentServices,
  owner: string,
  ids: readonly number[],
  revision: number | undefined,
): Promise<void> =>
  diskSpace
    .deleting(async () => {
      await pictures.remove(ids.map(id => ({ owner, id })))
      await markPicturesDeleted(database, owner, ids, revision)
    })
    .catch(ignoreUnavailable)

/** Repeats the deletion while requests are served. `tell` receives the number of deleted faces, and errors. */
export const expireRepeatedly = (
  services: IntentServices,
  tell: { done(faces: number): void; failed(error: unknown): void },
): RepeatedTask =>
  repeatedly(FACE_LIMITS.retentionEveryMs, () => deleteExpiredFaces(services).then(tell.done, tell.failed))
