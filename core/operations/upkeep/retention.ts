/** Retention: deletes faces whose retention has expired, with their vectors and pictures. */
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { deleteSpentCameras } from '../../metadata/queries/cameras.ts'
import { deleteFaces } from '../../metadata/queries/deletions.ts'
import { forgetAnswers } from '../../metadata/queries/enrolments.ts'
import { nextExpired, type Retaining, retainingOwners } from '../../metadata/queries/retention.ts'
import { type IntentServices, recordDeletion, withDeletion } from '../consistency/intent-log.ts'
import { keptSince } from '../repeated-enrolment.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'

/** Deletes expired faces, their persons without other faces, and expired idempotency records. Returns the number of faces. */
export async function deleteExpiredFaces(services: IntentServices): Promise<number> {
  await forgetAnswers(services.database, keptSince(services))
  let deletedFaces = 0
  for (const retaining of await retainingOwners(services.database)) {
    for (let above: number | undefined = -1; above !== undefined; ) {
      const { deleted, last } = await services.ownerLock(retaining.owner, revision =>
        deleteBatch(services, retaining, above!, revision),
      )
      deletedFaces += deleted
      above = last
      await environment.turn()
    }
    await deleteSpentCameras(services.database, retaining.owner)
  }
  return deletedFaces
}

/** Deletes one batch. Call it under the lock of the owner: a face must not leave the expiring gallery meanwhile. */
async function deleteBatch(
  services: IntentServices,
  retaining: Retaining,
  above: number,
  revision: number | undefined,
): Promise<{ deleted: number; last: number | undefined }> {
  const { database, now } = services
  const { owner } = retaining
  const { expired, last } = await nextExpired(database, retaining, now(), above, FACE_LIMITS.reconcileBatch)
  if (expired.length === 0) return { deleted: 0, last }
  const ids = expired.map(({ id }) => id)
  const persons = expired.flatMap(({ personId }) => (typeof personId === 'number' ? [personId] : []))
  const faces = await services.diskSpace.deleting(() =>
    withDeletion(services, owner, async work => {
      const deleted = await deleteFaces(database, work, owner, { ids }, { persons, revision })
      // Empty when another core deleted the faces first.
      if (deleted.length > 0) await recordDeletion(services, { owner, faces: deleted, because: 'retention' })
      return deleted
    }),
  )
  return { deleted: faces.length, last }
}

/** Repeats the deletion while requests are served. `tell` receives the number of deleted faces, and errors. */
export const keepExpiring = (
  services: IntentServices,
  tell: { done(faces: number): void; failed(error: unknown): void },
): RepeatedTask =>
  repeatedly(FACE_LIMITS.retentionEveryMs, () => deleteExpiredFaces(services).then(tell.done, tell.failed))
