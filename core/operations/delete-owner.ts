/** Deletes owners that are marked as deleted, with all their data, in batches. */
import { setImmediate } from 'node:timers/promises'
import { FACE_LIMITS } from '../../contract/limits/faces.ts'
import { GALLERY_OF_OWNER } from '../../contract/model/gallery.ts'
import { deletedOwners, deleteOwner, deleteSomeOfOwner } from '../metadata/queries/owners.ts'
import { type IntentServices, ignoreUnavailable } from './consistency/intent-log.ts'
import { deleteInBatches } from './delete-faces.ts'
import type { Stores } from './services.ts'

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

async function deleteOwnerData(services: IntentServices, owner: string): Promise<boolean> {
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
async function removeGalleryVectors({ vectors }: Stores, owner: string): Promise<void> {
  for (const { gallery } of await vectors.galleries()) {
    if (GALLERY_OF_OWNER.exec(gallery)?.[1] !== owner) continue
    for (;;) {
      const { vectors: some } = await vectors.list(gallery, 0, FACE_LIMITS.reconcileBatch)
      if (some.length === 0) break
      await vectors.remove(some.map(({ id }) => ({ gallery, id })))
      await setImmediate()
    }
  }
}
