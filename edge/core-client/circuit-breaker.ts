/** Circuit breaker of one core: whether requests skip the core, when its next health check is due, and its latency. */
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'

/**
 * Closed: requests use the core. Open: requests skip the core for a pause that grows with each failure. Half open: the pause
 * is over, and one health check tests the core. Only a health check closes the breaker: no request of a caller serves as a
 * test. Times are Unix milliseconds.
 */
export interface CircuitBreaker {
  readonly isClosed: boolean
  /** When the next health check is due. The first request after this time starts the check. */
  readonly nextCheckAt: number
  /** Moving average of the duration of health checks, in milliseconds. Undefined before the first check. */
  readonly latency: number | undefined
  /** Time of the last health check that got no response; -Infinity when there is none. */
  readonly silentAt: number
  /**
   * True when the breaker is closed and core responded to a request sent within the last EDGE_LIMITS.coreAliveMs. A core that
   * began to drain since then still listens and refuses requests without executing them.
   */
  readonly isRecentlyAlive: boolean
  /** True when a health check is due. The caller must then run the check; other callers get false. */
  claimCheck(): boolean
  /** A health check found the core ready after `ms` milliseconds. */
  ready(ms: number): void
  /** A health check found the core not ready. */
  unready(): void
  /** A health check got no response. */
  checkTimedOut(): void
  /** Core responded to a request that was sent at `sentAt`. */
  requestSucceeded(sentAt: number): void
  /** A request got no response, or the response of another server. */
  requestFailed(): void
  /** Core is draining. Draining is not a failure. */
  draining(): void
  /** A request takes long, or core reported an unavailable dependency. The next health check becomes due soon. */
  suspect(): void
}

interface CircuitBreakerOptions {
  now(): number
  /** Random number in [0, 1). */
  random(): number
  /** Called with false when the breaker opens, and with true when it closes. */
  onChange?: (isClosed: boolean) => void
}

/** Weights of a slower and of a faster health check in the moving average. Slower checks may include connection setup. */
const SLOWER_WEIGHT = 1 / 8
const FASTER_WEIGHT = 1 / 2

export function circuitBreaker({ now, random, onChange = () => {} }: CircuitBreakerOptions): CircuitBreaker {
  let isClosed = true
  let failures = 0
  let nextCheckAt = now()
  let checkedAt = -Infinity
  let aliveAt = -Infinity
  let silentAt = -Infinity
  let latency: number | undefined

  /** A time after `ms` with jitter: edges that failed together do not retry together. */
  const after = (ms: number) => now() + ms * (0.5 + random() / 2)

  const setClosed = (closed: boolean) => {
    if (isClosed === closed) return
    isClosed = closed
    onChange(closed)
  }

  const open = () => {
    setClosed(false)
    nextCheckAt = after(Math.min(EDGE_LIMITS.corePauseMs * 2 ** failures, EDGE_LIMITS.corePausesMs))
    failures++
  }

  return {
    get isClosed() {
      return isClosed
    },
    get nextCheckAt() {
      return nextCheckAt
    },
    get latency() {
      return latency
    },
    get silentAt() {
      return silentAt
    },
    get isRecentlyAlive() {
      return isClosed && now() - aliveAt < EDGE_LIMITS.coreAliveMs
    },
    claimCheck() {
      if (now() < nextCheckAt) return false
      checkedAt = now()
      nextCheckAt = checkedAt + EDGE_LIMITS.coreCheckMs
      return true
    },
    ready(ms) {
      setClosed(true)
      failures = 0
      aliveAt = now() - ms
      nextCheckAt = after(EDGE_LIMITS.coreLookEveryMs)
      latency ??= ms
      latency += (ms - latency) * (ms > latency ? SLOWER_WEIGHT : FASTER_WEIGHT)
    },
    unready: open,
    checkTimedOut() {
      silentAt = now()
      open()
    },
    requestSucceeded(sentAt) {
      aliveAt = Math.max(aliveAt, sentAt)
    },
    requestFailed() {
      // Requests that fail together count as one failure.
      if (isClosed) open()
    },
    draining() {
      if (isClosed) nextCheckAt = after(EDGE_LIMITS.coreSlowMs)
      setClosed(false)
    },
    suspect() {
      nextCheckAt = Math.min(nextCheckAt, Math.max(now(), checkedAt + EDGE_LIMITS.coreSlowMs))
    },
  }
}
