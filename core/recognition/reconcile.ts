/** Reconciliation: what a crash, or a part of the store that was away, left half-done is brought to its end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../contract/limits.ts'
import { finishGalleries } from './forget.ts'
import type { Parts, Stores } from './parts.ts'
import { type Noting, type Settlement, settleNotes } from './settle.ts'
import { turns } from './turns.ts'

/** What was done, and how many galleries were deleted to their end. */
export interface Reconciliation extends Settlement {
  galleriesDeleted: number
}

/** Finishes all that is noted. Run before anything is served: it takes every note for one that a crash left. */
export const reconcile = (stores: Stores): Promise<Reconciliation> =>
  finish({ ...stores, inTurn: turns(), underWay: new Set(), now: Date.now }, Number.MAX_SAFE_INTEGER)

async function finish(parts: Noting, before: number): Promise<Reconciliation> {
  const galleriesDeleted = await finishGalleries(parts)
  return { galleriesDeleted, ...(await settleNotes(parts, before)) }
}

/** What keeps things settled: stopped, and once a pass under way has ended. */
export interface Settling {
  stop(): Promise<void>
}

/** Does the same now and then while requests are served, to what they are long done with. `tell` is told each outcome. */
export function keepSettled(
  parts: Parts,
  tell: { done(what: Reconciliation): void; failed(error: unknown): void },
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
