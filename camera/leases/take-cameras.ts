/** Takes cameras that no other watcher holds, a few at a time: watchers that start together share them. */
import { type MienClient, MienError } from '../../clients/typescript/src/index.ts'
import { pause } from '../frames/back-off.ts'
import { REQUEST_MS } from './keep-lease.ts'

/** Cameras that a watcher takes at most before it reads the list again. */
export const AT_ONCE = 4

/** Longest pause in milliseconds before each attempt. */
const PAUSE_MS = 500

export interface Taker {
  /** Takes at most `most` of these cameras. Returns the ids of those that it took. */
  take(ids: readonly string[], most: number, signal: AbortSignal): Promise<string[]>
}

export function openTaker(client: MienClient, watcher: string): Taker {
  /** When the lease of another watcher ends, in milliseconds of `performance.now()`, by camera. */
  const heldUntil = new Map<string, number>()

  const isTaken = async (id: string, signal: AbortSignal): Promise<boolean> => {
    try {
      await client.cameras.lease(id, { watcher }, { signal, timeoutMs: REQUEST_MS })
      return true
    } catch (error) {
      const seconds = error instanceof MienError && error.status === 409 ? (error.retryAfter ?? 0) : 0
      heldUntil.set(id, performance.now() + seconds * 1_000)
      return false
    }
  }

  return {
    async take(ids, most, signal) {
      for (const id of heldUntil.keys()) if (!ids.includes(id)) heldUntil.delete(id)
      const taken: string[] = []
      for (const id of shuffled(ids.filter(id => (heldUntil.get(id) ?? 0) <= performance.now()))) {
        if (taken.length >= Math.min(most, AT_ONCE)) break
        await pause(Math.random() * PAUSE_MS, signal)
        if (signal.aborted) break
        if (await isTaken(id, signal)) taken.push(id)
      }
      return taken
    },
  }
}

const shuffled = (ids: readonly string[]): string[] =>
  ids
    .map(id => ({ id, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id)
