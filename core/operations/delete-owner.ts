/** Deletions of owners that were given up: all that they have, some at a time, whatever comes between. */
import { setImmediate } from 'node:timers/promises'
import { LIMITS } from '../contract/limits.ts'
import { GALLERY_OF_OWNER } from '../contract/model/gallery.ts'
import { deleteOwner, deleteSomeOfOwner, goingOwners } from '../metadata/queries/owners.ts'
import { type IntentServices, ignoreUnavailable } from './consistency/intent-log.ts'
import { deleteInBatches } from './delete-faces.ts'
import type { Stores } from './services.ts'

/**
 * Deletes what the owners have that were given up, and then these; says how many. One of whom something is left, as in a
 * shard or a bucket that is away, stays given up, and is deleted later.
 */
export async function finishOwnerDeletions(services: IntentServices): Promise<number> {
  let done = 0
  for (const owner of await goingOwners(services.database)) if (await finishOwner(services, owner)) done++
  return done
}

async function finishOwner(services: IntentServices, owner: string): Promise<boolean> {
  await deleteInBatches(services, { owner, because: 'owner.delete' }, work =>
    deleteSomeOfOwner(services.database, work, owner, LIMITS.settleStride),
  )
  const emptied = await emptyGalleries(services, owner)
    .then(() => services.pictures.removeAll(owner))
    .then(() => true, ignoreUnavailable)
  if (!emptied) return false
  if (!(await deleteOwner(services.database, owner))) return false
  await services.record({ actor: 'service', action: 'owner.gone', owner })
  return true
}

/** Removes also what store operators added to the owner's galleries, which belongs to no face. */
async function emptyGalleries({ vectors }: Stores, owner: string): Promise<void> {
  for (const { gallery } of await vectors.galleries()) {
    if (GALLERY_OF_OWNER.exec(gallery)?.[1] !== owner) continue
    for (;;) {
      const { vectors: some } = await vectors.list(gallery, 0, LIMITS.settleStride)
      if (some.length === 0) break
      await vectors.remove(some.map(({ id }) => ({ gallery, id })))
      await setImmediate()
    }
  }
}
