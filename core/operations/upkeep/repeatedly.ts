/** Periodic background tasks. */
import { sleep } from '../../../contract/environment.ts'

/** A periodic task. `stop` resolves when a run in progress has ended. */
export interface RepeatedTask {
  stop(): Promise<void>
}

/** Runs `work` every `everyMs` milliseconds, without overlap. An error ends the task: `work` handles its errors itself. */
export function repeatedly(everyMs: number, work: () => Promise<void>): RepeatedTask {
  const stopping = new AbortController()
  const rest = { ref: false, signal: stopping.signal }
  const passes = async (): Promise<void> => {
    while (
      await sleep(everyMs, rest).then(
        () => true,
        () => false,
      )
    )
      await work()
  }
  const ended = passes()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
