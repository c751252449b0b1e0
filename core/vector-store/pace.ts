/** Paces background tasks that share a thread with requests. */
import { setImmediate as immediate } from 'node:timers/promises'

/** Background time per unit of time that other tasks used the thread. Searches slow down by this fraction. */
const BACKGROUND_SHARE = 1 / 2

/**
 * Returns a function to await after each small step of a background task. It yields the thread to other tasks. The
 * longer they used it, the more steps run before the next yield: otherwise a task of many steps would stall while long
 * searches follow each other.
 */
export function pace(): () => Promise<void> {
  let resumedAt = performance.now()
  let budgetMs = 0
  return async () => {
    const yieldedAt = performance.now()
    if (yieldedAt - resumedAt < budgetMs) return
    await immediate()
    resumedAt = performance.now()
    budgetMs = (resumedAt - yieldedAt) * BACKGROUND_SHARE
  }
}
