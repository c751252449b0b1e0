/** Decides whether and when a failed request is sent again. */
import { MienError, MienNetworkError, MienTimeoutError } from './errors.ts'

/** Statuses of a service or a proxy that may succeed later. */
const TEMPORARY = [429, 502, 503, 504]

/** Longest wait without Retry-After. */
const LONGEST_MS = 10_000

/**
 * True if sending the request again is safe, and may succeed. `repeatable`: the request has the same effect once and twice.
 * Another request is repeated after a 429 only, which proves that the service has done nothing.
 */
export function mayRetry(error: unknown, repeatable: boolean): boolean {
  if (error instanceof MienError)
    return error.status === 429 || (repeatable && TEMPORARY.includes(error.status))
  return repeatable && error instanceof MienNetworkError && !(error instanceof MienTimeoutError)
}

export interface DelayOptions {
  /** Retries so far, from 0. */
  retry: number
  /** Milliseconds before the first retry without Retry-After. */
  baseMs: number
  /** From 0 to 1. */
  random: number
}

/** Milliseconds to wait. Doubles with each retry. Never less than Retry-After; jitter spreads the clients that were refused together. */
export function delayMs(error: unknown, { retry, baseMs, random }: DelayOptions): number {
  const backoff = Math.min(LONGEST_MS, baseMs * 2 ** retry) * (0.5 + random / 2)
  const asked = error instanceof MienError ? error.retryAfter : undefined
  return asked === undefined ? backoff : asked * 1000 + backoff
}

/** Resolves after the delay. Rejects with the reason of the signal when that aborts first. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
