/** Deadlines of shard requests. */
import { StoreUnavailable } from './vector-store.ts'

/**
 * Grace period after the deadline, in milliseconds. A blocked event loop fires the timer late; the pause lets responses
 * that have arrived meanwhile win.
 */
const GRACE_MS = 50

/** Runs a task for at most `ms` milliseconds. Then rejects with StoreUnavailable (`away`) and aborts the task's signal. */
export async function withDeadline<Outcome>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => {
        reject(new StoreUnavailable('away'))
        controller.abort()
      }, GRACE_MS)
    }, ms)
  })
  try {
    return await Promise.race([work(controller.signal), timeout])
  } finally {
    clearTimeout(timer)
  }
}
