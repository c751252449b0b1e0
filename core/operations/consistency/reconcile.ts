/** Reconciliation: what a crash, or a part of the store that was away, left half-done is brought to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../contract/limits.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../contract/model/gallery.ts'
import { faceCounts } from '../../metadata/queries/faces.ts'
import type { GalleryStatistics } from '../../vector-store/vector-store.ts'
import { finishGalleries } from '../delete-faces.ts'
import { finishOwners } from '../delete-owner.ts'
import type { OpenStores, Parts, Stores } from '../services.ts'
import { auditLog } from '../upkeep/audit-log.ts'
import { type Repeating, repeatedly } from '../upkeep/repeatedly.ts'
import { type Noting, type Settlement, settleNotes, unlessAway } from './intent-log.ts'
import { sharedTurns, turns } from './owner-lock.ts'

/** What was done, and how many galleries and owners were deleted to their end. */
export interface Finished extends Settlement {
  galleriesDeleted: number
  ownersDeleted: number
}

/** The same, and how many vectors at least are lost; undefined while the store is away in part. */
export interface Reconciliation extends Finished {
  vectorsMissing: number | undefined
}

/** How often vectors and faces are counted while other cores are at work, and the pause between two counts. */
const RECOUNTS = 5
const RECOUNT_MS = 200

/** Finishes all that is noted, but by other cores that are alive. Run before anything is served: it takes its notes for those that a crash left. */
export async function reconcile(stores: OpenStores): Promise<Reconciliation> {
  const now = Date.now
  const record = auditLog({ ...stores, now })
  const inTurn = stores.lease ? sharedTurns(stores.database) : turns()
  const parts: Noting = { ...stores, inTurn, underWay: new Set<string>(), now, record }
  const finished = await finish(parts, Number.MAX_SAFE_INTEGER)
  const missing = await vectorsMissing(stores).catch(unlessAway)
  if (stores.lacking) stores.lacking.vectors += missing ?? 0
  return { ...finished, vectorsMissing: missing }
}

async function finish(parts: Noting, before: number): Promise<Finished> {
  const galleriesDeleted = await finishGalleries(parts)
  const settlement = await settleNotes(parts, before)
  // What is noted of them has to be settled first.
  return { galleriesDeleted, ownersDeleted: await finishOwners(parts), ...settlement }
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
export const keepSettled = (
  parts: Parts,
  tell: { done(what: Finished): void; failed(error: unknown): void },
  everyMs: number = LIMITS.settleEveryMs,
): Repeating =>
  repeatedly(everyMs, () => finish(parts, parts.now() - LIMITS.unsettledMs).then(tell.done, tell.failed))
