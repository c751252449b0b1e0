/** Runs tasks one after the other, each at its interval, until a signal. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Repeated {
  everyMs: number
  /** Pause after a failure, in milliseconds, unless the interval is shorter. */
  againMs?: number
  work(): Promise<void>
}

export interface RepeatSettings {
  signal: AbortSignal
  onError(error: unknown): void
}

const AGAIN_MS = 300_000

/**
 * Runs each task at once, in this order, and then at its interval from start to start. Measures with a clock that changes of the
 * time do not move. Resolves after the signal, when the task in progress has ended.
 */
export async function repeat(tasks: readonly Repeated[], { signal, onError }: RepeatSettings): Promise<void> {
  const due = tasks.map(() => performance.now())
  while (!signal.aborted) {
    const next = due.indexOf(Math.min(...due))
    await sleep(Math.max(0, due[next]! - performance.now()), undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    const { everyMs, againMs = AGAIN_MS, work } = tasks[next]!
    const started = performance.now()
    try {
      await work()
      due[next] = started + everyMs
    } catch (error) {
      onError(error)
      due[next] = performance.now() + Math.min(everyMs, againMs)
    }
  }
}
