/** Reconciliation: what a crash, or a part of the store that was away, left half-done is brought to its end. */
import { DEFAULT_GALLERY, storeGallery } from '../contract/gallery.ts'
import { LIMITS } from '../contract/limits.ts'
import { faceCounts } from '../metadata/faces.ts'
import type { GalleryStatistics } from '../store/store.ts'
import { auditLog } from './audit-log.ts'
import { finishGalleries } from './forget.ts'
import { finishOwners } from './forget-owner.ts'
import type { Parts, Stores } from './parts.ts'
import { type Repeating, repeatedly } from './repeatedly.ts'
import { type Noting, type Settlement, settleNotes, unlessAway } from './settle.ts'
import { sharedTurns, turns } from './turns.ts'

/** What was done, and how many galleries and owners were deleted to their end. */
export interface Finished extends Settlement {
  galleriesDeleted: number
  ownersDeleted: number
}

/** The same, and how many vectors at least are lost; undefined while the store is away in part. */
export interface Reconciliation extends Finished {
  vectorsMissing: number | undefined
}

/** Finishes all that is noted, but by other cores that are alive. Run before anything is served: it takes its notes for those that a crash left. */
export async function reconcile(stores: Stores): Promise<Reconciliation> {
  const now = Date.now
  const record = auditLog({ ...stores, now })
  const inTurn = stores.lease ? sharedTurns(stores.database) : turns()
  const parts = { ...stores, inTurn, underWay: new Set<string>(), now, record }
  const finished = await finish(parts, Number.MAX_SAFE_INTEGER)
  return { ...finished, vectorsMissing: await vectorsMissing(stores).catch(unlessAway) }
}

async function finish(parts: Noting, before: number): Promise<Finished> {
  const galleriesDeleted = await finishGalleries(parts)
  const settlement = await settleNotes(parts, before)
  // What is noted of them has to be settled first.
  return { galleriesDeleted, ownersDeleted: await finishOwners(parts), ...settlement }
}

/** By counts alone, which a start with a million faces can afford: `missingOf` looks at each of them. */
async function vectorsMissing({ database, vectors }: Stores): Promise<number> {
  const galleries = await vectors.galleries()
  const sizes = new Map(galleries.map(found => [found.gallery, sizeOf(found)]))
  const lacking = (await faceCounts(database)).map(
    ({ owner, faces }) => faces - (sizes.get(storeGallery(owner, DEFAULT_GALLERY)) ?? 0),
  )
  return lacking.reduce((sum, count) => sum + Math.max(0, count), 0)
}

const sizeOf = ({ linear, preindex, indexed }: GalleryStatistics): number => linear + preindex + indexed

/** Does the same now and then while requests are served, to what they are long done with. `tell` is told each outcome. */
export const keepSettled = (
  parts: Parts,
  tell: { done(what: Finished): void; failed(error: unknown): void },
  everyMs: number = LIMITS.settleEveryMs,
): Repeating =>
  repeatedly(everyMs, () => finish(parts, parts.now() - LIMITS.unsettledMs).then(tell.done, tell.failed))
