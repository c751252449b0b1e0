/** Reconciliation: what a crash, or a part of the store that was away, left half-done is brought to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_GALLERY, storeGallery } from '../contract/gallery.ts'
import { LIMITS } from '../contract/limits.ts'
import { faceCounts } from '../metadata/faces.ts'
import type { GalleryStatistics } from '../store/store.ts'
import { finishGalleries } from './forget.ts'
import type { Parts, Stores } from './parts.ts'
import { type Noting, type Settlement, settleNotes, unlessAway } from './settle.ts'
import { turns } from './turns.ts'

/** What was done, and how many galleries were deleted to their end. */
export interface Finished extends Settlement {
  galleriesDeleted: number
}

/** The same, and how many vectors at least are lost; undefined while the store is away in part. */
export interface Reconciliation extends Finished {
  vectorsMissing: number | undefined
}

/** Finishes all that is noted. Run before anything is served: it takes every note for one that a crash left. */
export async function reconcile(stores: Stores): Promise<Reconciliation> {
  const parts = { ...stores, inTurn: turns(), underWay: new Set<string>(), now: Date.now }
  const finished = await finish(parts, Number.MAX_SAFE_INTEGER)
  return { ...finished, vectorsMissing: await vectorsMissing(stores).catch(unlessAway) }
}

async function finish(parts: Noting, before: number): Promise<Finished> {
  const galleriesDeleted = await finishGalleries(parts)
  return { galleriesDeleted, ...(await settleNotes(parts, before)) }
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

/** What keeps things settled: stopped, and once a pass under way has ended. */
export interface Settling {
  stop(): Promise<void>
}

/** Does the same now and then while requests are served, to what they are long done with. `tell` is told each outcome. */
export function keepSettled(
  parts: Parts,
  tell: { done(what: Finished): void; failed(error: unknown): void },
  everyMs: number = LIMITS.settleEveryMs,
): Settling {
  const stopping = new AbortController()
  const pass = async (): Promise<void> => {
    const rest = { ref: false, signal: stopping.signal }
    while (await sleep(everyMs, true, rest).catch(() => false)) {
      await finish(parts, parts.now() - LIMITS.unsettledMs).then(tell.done, tell.failed)
    }
  }
  const ended = pass()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
