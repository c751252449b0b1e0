/** Work that is done now and then while requests are served. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Stopped, and once a pass under way has ended. */
export interface RepeatedTask {
  stop(): Promise<void>
}

/** Does the work every so often, and never twice at a time. What it throws ends it: it has to tell its failures itself. */
export function repeatedly(everyMs: number, work: () => Promise<void>): RepeatedTask {
  const stopping = new AbortController()
  const rest = { ref: false, signal: stopping.signal }
  const passes = async (): Promise<void> => {
    while (await sleep(everyMs, true, rest).catch(() => false)) await work()
  }
  const ended = passes()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
