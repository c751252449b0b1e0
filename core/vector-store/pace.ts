/** The pace of work that shares a thread with answers. */
import { setImmediate as immediate } from 'node:timers/promises'

/** For so long as others had the thread, such a part of it is then the work's: searches become so much slower while it goes on. */
const PART = 1 / 2

/**
 * To be awaited after each small step of a work. Lets others have the thread, and, the longer they had it, does the more
 * steps before it does so again: else a work of many steps would hardly go on while long searches follow each other.
 */
export function pace(): () => Promise<void> {
  let began = performance.now()
  let own = 0
  return async () => {
    const rested = performance.now()
    if (rested - began < own) return
    await immediate()
    began = performance.now()
    own = (began - rested) * PART
  }
}
