/** Connections that the database refuses: nothing was sent over one, so what was to be asked waits, while that is new. */
import { setTimeout as sleep } from 'node:timers/promises'

type Ask = (request: Request) => Promise<Response>

/** Until the next attempt. */
const PAUSE_MS = 50

/** The same, but asked again where nobody listens: for so long after that was found out first, and by nobody who comes later. */
export function retryRefusedConnections(ask: Ask, patienceMs: () => number): Ask {
  let since: number | undefined
  return async request => {
    for (;;) {
      try {
        const answer = await ask(request.clone())
        since = undefined
        return answer
      } catch (error) {
        if (!isRefused(error)) throw error
        since ??= performance.now()
        if (performance.now() - since >= patienceMs()) throw error
        await sleep(PAUSE_MS)
      }
    }
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ECONNREFUSED') || isRefused(error.cause))
