/** Retries requests whose connection the database refuses. A refused connection has sent nothing. */
import { setTimeout as sleep } from 'node:timers/promises'

type Send = (request: Request) => Promise<Response>

/** Pause before a retry. */
const PAUSE_MS = 50

/**
 * Wraps `send` to retry while connections are refused, for at most `patienceMs()` milliseconds after the first refusal.
 * Later requests share this deadline. A response resets it.
 */
export function retryRefusedConnections(send: Send, patienceMs: () => number): Send {
  let since: number | undefined
  return async request => {
    for (;;) {
      try {
        const response = await send(request.clone())
        since = undefined
        return response
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
