/** Periodic background tasks. */
import { sleep } from '../../contract/environment.ts'

/** A periodic task. `stop` resolves when a run in progress has ended. */
export interface RepeatedTask {
  stop(): Promise<void>
}

/**
 * Runs `work` every `everyMs` milliseconds, without overlap. A long run ends early when `isStopping`. An error ends the task:
 * `work` handles its errors itself.
 */
export function repeatedly(
  everyMs: number,
  work: (isStopping: () => boolean) => Promise<void>,
): RepeatedTask {
  const stopping = new AbortController()
  const rest = { ref: false, signal: stopping.signal }
  const passes = async () => {
    while (
      await sleep(everyMs, rest).then(
        () => true,
        () => false,
      )
    )
      await work(() => stopping.signal.aborted)
  }
  const ended = passes()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
