/** Keeps a child process running: one that dies unasked is started again on the port it had. */
import type { Child } from './child.ts'

/** A child that dies this soon after its start, this often in a row, is given up. */
const SOON_MS = 10_000
const TRIES = 3

export interface Supervised {
  port: number
  /** Ends the child for good; after the grace time it is killed. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts a child and starts it again whenever it dies. `start` is given the port to listen on. Rejects when the first
 * start fails; `givenUp` is called when the child can't be kept alive later.
 */
export async function supervise(
  name: string,
  firstPort: number,
  start: (port: number) => Promise<Child>,
  givenUp: () => void,
): Promise<Supervised> {
  let child = await start(firstPort)
  const port = child.port
  let stopping = false

  const watch = async () => {
    for (let failures = 0; failures < TRIES; ) {
      const began = Date.now()
      await child.gone
      if (stopping) return
      failures = Date.now() - began < SOON_MS ? failures + 1 : 1
      console.error(`${name} has died and is started again.`)
      child = await start(port).catch(() => child)
    }
    if (!stopping) givenUp()
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
