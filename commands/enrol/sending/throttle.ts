/** Sends requests at the pace of the service, and repeats those that it could not take. */
import { MienError, MienNetworkError } from '../../../clients/typescript/src/index.ts'
import type { CapacityWindow, Started } from './capacity-window.ts'
import { slots } from './slots.ts'

/**
 * Sends a request when the service has room. Repeats it while the service is overloaded or away, and after an internal error.
 * Rejects with MienError for a refusal, with ServiceAway, and with the reason of the signal before a request has started.
 */
export type Throttle = <Answer>(send: () => Promise<Answer>, signal: AbortSignal) => Promise<Answer>

/** The service has not handled any request for AWAY_MS. */
export class ServiceAway extends Error {
  override readonly name = 'ServiceAway'
}

/** Longest time without an answer, pauses that the service asked for included. */
const AWAY_MS = 300_000

/** Statuses of a service or a proxy that is overloaded or away. */
const TEMPORARY = [429, 502, 503, 504]

/** Attempts of a request that ends with an internal error. */
const ATTEMPTS = 3

export function throttle(window: CapacityWindow, now: () => number = () => performance.now()): Throttle {
  const { acquire, next } = slots(window, now)
  let answeredAt = now()

  /** Tells the window how a request failed. Throws ServiceAway after a long time without an answer. */
  const failed = (started: Started, error: unknown): void => {
    if (!isTemporary(error)) {
      window.ended()
      answeredAt = now()
      return
    }
    window.refused(started, now(), retryAfterMs(error))
    if (now() - answeredAt > AWAY_MS) throw new ServiceAway(awayText(error), { cause: error })
  }

  return async (send, signal) => {
    for (let internalErrors = 0; ; ) {
      const started = await acquire(signal)
      try {
        const answer = await send()
        answeredAt = now()
        window.answered(started, answeredAt)
        return answer
      } catch (error) {
        failed(started, error)
        if (isInternal(error)) internalErrors++
        if (internalErrors >= ATTEMPTS || !(isTemporary(error) || isInternal(error))) throw error
      } finally {
        next()
      }
    }
  }
}

const isInternal = (error: unknown): boolean => error instanceof MienError && error.status === 500

const isTemporary = (error: unknown): boolean =>
  error instanceof MienNetworkError || (error instanceof MienError && TEMPORARY.includes(error.status))

const retryAfterMs = (error: unknown): number | undefined =>
  error instanceof MienError && error.retryAfter !== undefined ? error.retryAfter * 1000 : undefined

const awayText = (error: unknown): string =>
  `The service has taken no request for ${AWAY_MS / 60_000} minutes. Last: ${(error as Error).message}`
