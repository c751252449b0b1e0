/** Background work of a shard's thread: steps that leave time for requests, and garbage collection. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { environment } from '../../contract/environment.ts'

/** Background time per unit of time that other tasks used the thread. Searches slow down by this fraction. */
const BACKGROUND_SHARE = 1 / 2

/**
 * Returns a function to await after each small step of a background task. It yields the thread to other tasks. The
 * longer they used it, the more steps run before the next yield: otherwise a task of many steps would stall while long
 * searches follow each other. `now` is a clock in milliseconds.
 */
export function pace(now: () => number = () => environment.monotonic()): () => Promise<void> {
  let resumedAt = now()
  let budgetMs = 0
  return async () => {
    const yieldedAt = now()
    if (yieldedAt - resumedAt < budgetMs) return
    await environment.turn()
    resumedAt = now()
    budgetMs = (resumedAt - yieldedAt) * BACKGROUND_SHARE
  }
}

let collect: (() => void) | undefined

/** Collects all garbage of this thread, which blocks it for some milliseconds. V8 alone would delay the collection. */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('globalThis.gc') as () => void
  }
  collect()
}
