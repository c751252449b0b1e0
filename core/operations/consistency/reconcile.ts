/** Reconciliation: completes or reverts operations that a crash or an unavailable shard interrupted. */
import { environment, retry } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { faceCounts } from '../../metadata/faces/faces.ts'
import type { GalleryStatistics } from '../../vector-store/vector-store.ts'
import { auditLog } from '../audit-log/audit-log.ts'
import { deleteLostPieces } from '../cameras/recordings.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'
import type { OpenStores, Services, Stores } from '../services.ts'
import { finishGalleryDeletions, finishOwnerDeletions } from './deletions.ts'
import {
  type IntentServices,
  ignoreUnavailable,
  type ReconciledIntents,
  reconcileIntents,
} from './intent-log.ts'
import { localOwnerLock, sharedOwnerLock } from './owner-lock.ts'
import { completePersonChanges } from './person-changes.ts'

/** Result of one pass: reconciled intents, and completed deletions of galleries and owners. */
interface ReconciledWork extends ReconciledIntents {
  galleriesDeleted: number
  ownersDeleted: number
}

/** Result of the pass at the start. `vectorsMissing` is a lower bound; undefined while a shard is unavailable. */
interface Reconciliation extends ReconciledWork {
  vectorsMissing: number | undefined
}

/** Number of counts of vectors and faces while other cores change them, and the pause between two counts. */
const MOST_RECOUNTS = 5
const RECOUNT_MS = 200

/** Reconciles all intents except the intents of other live cores. Call it before requests are served: it ignores running operations. */
export async function reconcile(stores: OpenStores): Promise<Reconciliation> {
  const now = environment.now
  const record = auditLog({ ...stores, now })
  const ownerLock = stores.lease ? sharedOwnerLock(stores.database) : localOwnerLock()
  const services: IntentServices = { ...stores, ownerLock, activeIntents: new Set<string>(), now, record }
  const finished = await reconcilePass(services, Number.MAX_SAFE_INTEGER)
  await deleteLostPieces(stores).catch(ignoreUnavailable)
  const missing = await vectorsMissing(stores).catch(ignoreUnavailable)
  if (stores.missingVectors) stores.missingVectors.vectors += missing ?? 0
  return { ...finished, vectorsMissing: missing }
}

async function reconcilePass(services: IntentServices, before: number): Promise<ReconciledWork> {
  const galleriesDeleted = await finishGalleryDeletions(services)
  await completePersonChanges(services)
  const reconciled = await reconcileIntents(services, before)
  // Intents of deleted owners must be reconciled first.
  return { galleriesDeleted, ownersDeleted: await finishOwnerDeletions(services), ...reconciled }
}

/** Compares counts only, to keep the start fast with a million faces. `findMissing` checks each face. */
async function vectorsMissing(stores: Stores) {
  return retry(() => countMissing(stores), {
    isDone: count => count === 0,
    // Another core may have enrolled or deleted between the two counts.
    attempts: stores.lease ? MOST_RECOUNTS : 1,
    delayMs: RECOUNT_MS,
  })
}

async function countMissing({ database, vectors }: Stores) {
  const galleries = await vectors.galleries()
  const sizes = new Map(galleries.map(found => [found.gallery, sizeOf(found)]))
  const lacking = (await faceCounts(database)).map(
    ({ owner, faces }) => faces - (sizes.get(storeGallery(owner, DEFAULT_GALLERY)) ?? 0),
  )
  return lacking.reduce((sum, count) => sum + Math.max(0, count), 0)
}

const sizeOf = ({ linear, preindex, indexed }: GalleryStatistics) => linear + preindex + indexed

/** Repeats the reconciliation while requests are served, for intents older than any request. `tell` receives each outcome. */
export const reconcileRepeatedly = (
  services: Services,
  tell: { done(what: ReconciledWork): void; failed(error: unknown): void },
  everyMs: number = FACE_LIMITS.reconcileEveryMs,
): RepeatedTask =>
  repeatedly(everyMs, () =>
    reconcilePass(services, services.now() - FACE_LIMITS.intentAgeMs).then(tell.done, tell.failed),
  )
