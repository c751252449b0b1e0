/** Reconciliation: what a crash, or a part of the store that was away, left half-done is brought to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../contract/limits.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../contract/model/gallery.ts'
import { faceCounts } from '../../metadata/queries/faces.ts'
import type { GalleryStatistics } from '../../vector-store/vector-store.ts'
import { finishGalleryDeletions } from '../delete-faces.ts'
import { finishOwnerDeletions } from '../delete-owner.ts'
import type { OpenStores, Services, Stores } from '../services.ts'
import { auditLog } from '../upkeep/audit-log.ts'
import { type RepeatedTask, repeatedly } from '../upkeep/repeatedly.ts'
import {
  type IntentServices,
  ignoreUnavailable,
  type ReconciledIntents,
  reconcileIntents,
} from './intent-log.ts'
import { localOwnerLock, sharedOwnerLock } from './owner-lock.ts'

/** What was done, and how many galleries and owners were deleted to their end. */
export interface ReconciledWork extends ReconciledIntents {
  galleriesDeleted: number
  ownersDeleted: number
}

/** The same, and how many vectors at least are lost; undefined while the store is away in part. */
export interface Reconciliation extends ReconciledWork {
  vectorsMissing: number | undefined
}

/** How often vectors and faces are counted while other cores are at work, and the pause between two counts. */
const RECOUNTS = 5
const RECOUNT_MS = 200

/** Finishes all that is noted, but by other cores that are alive. Run before anything is served: it takes its notes for those that a crash left. */
export async function reconcile(stores: OpenStores): Promise<Reconciliation> {
  const now = Date.now
  const record = auditLog({ ...stores, now })
  const ownerLock = stores.lease ? sharedOwnerLock(stores.database) : localOwnerLock()
  const services: IntentServices = { ...stores, ownerLock, activeIntents: new Set<string>(), now, record }
  const finished = await finish(services, Number.MAX_SAFE_INTEGER)
  const missing = await vectorsMissing(stores).catch(ignoreUnavailable)
  if (stores.missingVectors) stores.missingVectors.vectors += missing ?? 0
  return { ...finished, vectorsMissing: missing }
}

async function finish(services: IntentServices, before: number): Promise<ReconciledWork> {
  const galleriesDeleted = await finishGalleryDeletions(services)
  const settlement = await reconcileIntents(services, before)
  // What is noted of them has to be settled first.
  return { galleriesDeleted, ownersDeleted: await finishOwnerDeletions(services), ...settlement }
}

/** By counts alone, which a start with a million faces can afford: `missingOf` looks at each of them. */
async function vectorsMissing(stores: Stores): Promise<number> {
  const counted = await countMissing(stores)
  if (counted === 0 || !stores.lease) return counted
  // Another core may have enrolled or deleted between the two counts.
  for (let tried = 1; tried < RECOUNTS; tried++) {
    await sleep(RECOUNT_MS)
    if ((await countMissing(stores)) === 0) return 0
  }
  return counted
}

async function countMissing({ database, vectors }: Stores): Promise<number> {
  const galleries = await vectors.galleries()
  const sizes = new Map(galleries.map(found => [found.gallery, sizeOf(found)]))
  const lacking = (await faceCounts(database)).map(
    ({ owner, faces }) => faces - (sizes.get(storeGallery(owner, DEFAULT_GALLERY)) ?? 0),
  )
  return lacking.reduce((sum, count) => sum + Math.max(0, count), 0)
}

const sizeOf = ({ linear, preindex, indexed }: GalleryStatistics): number => linear + preindex + indexed

/** Does the same now and then while requests are served, to what they are long done with. `tell` is told each outcome. */
export const keepReconciling = (
  services: Services,
  tell: { done(what: ReconciledWork): void; failed(error: unknown): void },
  everyMs: number = LIMITS.settleEveryMs,
): RepeatedTask =>
  repeatedly(everyMs, () =>
    finish(services, services.now() - LIMITS.unsettledMs).then(tell.done, tell.failed),
  )
