/** Sends requests at the pace of the service, and repeats those that it could not take. */
import { MienError, MienNetworkError } from '../../clients/typescript/src/index.ts'
import { delayMs, wait } from '../../clients/typescript/src/send.ts'

/** Longest time without an answer, pauses that the service asked for included. */
const AWAY_MS = 300_000

/** Statuses of a service or a proxy that is overloaded or away. */
const TEMPORARY = [429, 502, 503, 504]

/** Attempts of a request that ends with an internal error. */
const ATTEMPTS = 3

/** Milliseconds before the first repetition without Retry-After. */
const FIRST_PAUSE_MS = 250

/** A service may ask for a longer pause than a timer can wait. */
const LONGEST_PAUSE_MS = 3_600_000

/**
 * Sends a request. Repeats it while the service is overloaded or away, and after an internal error. Rejects with MienError for
 * a refusal, with an Error after AWAY_MS, and with the reason of the signal before a request has started.
 */
export type Send = <Answer>(request: () => Promise<Answer>) => Promise<Answer>

/** A sender for the requests of one run. `now` is a clock in milliseconds. */
export function patientSender(signal: AbortSignal, now = () => performance.now()): Send {
  let answeredAt = now()
  return async request => {
    for (let failures = 0, internalErrors = 0; ; failures++) {
      signal.throwIfAborted()
      try {
        const answer = await request()
        answeredAt = now()
        return answer
      } catch (error) {
        if (!isTemporary(error)) {
          answeredAt = now()
          if (!isInternal(error) || ++internalErrors >= ATTEMPTS) throw error
        } else if (now() - answeredAt > AWAY_MS) throw new Error(awayText(error), { cause: error })
        const ms = delayMs(error, { retry: failures, baseMs: FIRST_PAUSE_MS, random: Math.random() })
        await wait(Math.min(ms, LONGEST_PAUSE_MS), signal)
      }
    }
  }
}

const isInternal = (error: unknown): boolean => error instanceof MienError && error.status === 500

const isTemporary = (error: unknown): boolean =>
  error instanceof MienNetworkError || (error instanceof MienError && TEMPORARY.includes(error.status))

const awayText = (error: unknown): string =>
  `The service has taken no request for ${AWAY_MS / 60_000} minutes. Last: ${(error as Error).message}`
