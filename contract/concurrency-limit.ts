/** Limits the number of concurrent tasks. Further tasks wait for a bounded time. */
import { environment } from './environment.ts'

/** Runs a task when a slot is free, in the order of the calls. */
type ConcurrencyLimit = <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome>

/** Runs at most `count` tasks at once. A task that waits longer than `waitMs` rejects with the error of `late`. */
export function concurrencyLimit(count: number, waitMs: number, late: () => Error): ConcurrencyLimit {
  let free = count
  const waiting = new Set<() => void>()

  const acquireSlot = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        timer.cancel()
        waiting.delete(start)
        resolve()
      }
      const timer = environment.timer(() => {
        waiting.delete(start)
        reject(late())
      }, waitMs)
      waiting.add(start)
    })

  return async work => {
    if (free > 0) free--
    else await acquireSlot()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next()
      else free++
    }
  }
}
