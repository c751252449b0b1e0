/** Restarts a child process that exits unexpectedly, on the same port. */
import type { Child } from './child.ts'

/** A child that exits this soon after its start, this many times in a row, is not restarted. */
const MIN_LIFETIME_MS = 10_000
const MAX_FAILURES = 3

export interface Supervised {
  port: number
  /** Ends the child permanently. The child is killed after `graceMs` milliseconds. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts a child and restarts it whenever it exits. `start` receives the port to listen on. Rejects when the first
 * start fails. Calls `onFailure` when the child cannot be kept alive later.
 */
export async function supervise(
  name: string,
  firstPort: number,
  start: (port: number) => Promise<Child>,
  onFailure: () => void,
): Promise<Supervised> {
  let child = await start(firstPort)
  const port = child.port
  let stopping = false

  const watch = async () => {
    for (let failures = 0; failures < MAX_FAILURES; ) {
      const began = Date.now()
      await child.gone
      if (stopping) return
      failures = Date.now() - began < MIN_LIFETIME_MS ? failures + 1 : 1
      console.error(`${name} has died and is started again.`)
      child = await start(port).catch(() => child)
    }
    if (!stopping) onFailure()
  }
  void watch()

  return {
    port,
    async stop(graceMs) {
      stopping = true
      await child.stop(graceMs)
    },
  }
}
