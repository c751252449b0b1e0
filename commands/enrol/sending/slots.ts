/** Lets requests start as the capacity window allows, in the order of the calls. */
import type { CapacityWindow, Started } from './capacity-window.ts'

export interface Slots {
  /** Resolves when a request may start. Rejects with the reason of the signal. */
  acquire(signal: AbortSignal): Promise<Started>
  /** Lets the next requests start. Call after each end of a request. */
  next(): void
}

/** A service may ask for a longer pause than a timer can wait. */
const LONGEST_TIMER_MS = 3_600_000

/** `now` is a clock in milliseconds. */
export function slots(window: CapacityWindow, now: () => number): Slots {
  const waiting = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined

  const next = (): void => {
    clearTimeout(timer)
    for (const start of waiting) {
      const ms = window.waitMs(now())
      if (ms === undefined) return
      if (ms > 0) {
        timer = setTimeout(next, Math.min(ms, LONGEST_TIMER_MS))
        return
      }
      start()
    }
  }

  return {
    next,
    acquire: signal =>
      new Promise((resolve, reject) => {
        const abort = () => {
          waiting.delete(start)
          if (waiting.size === 0) clearTimeout(timer)
          reject(signal.reason)
        }
        const start = () => {
          waiting.delete(start)
          signal.removeEventListener('abort', abort)
          resolve(window.start(now()))
        }
        if (signal.aborted) return abort()
        signal.addEventListener('abort', abort)
        waiting.add(start)
        next()
      }),
  }
}
