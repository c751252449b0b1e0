/** What an isolate knows of one core: whether it is passed over, when it is looked at next, and how near it is. */
import { LIMITS } from '../../core/contract/limits.ts'

/**
 * Closed: the core is asked. Open: it is passed over, for longer each time. Half open: that time is over, and one look
 * finds out whether it is ready. Only a look closes it, so that no question is put at risk for that. Times are unix
 * milliseconds.
 */
export interface CircuitBreaker {
  readonly isClosed: boolean
  /** When it is looked at next, by whoever asks then. */
  readonly analyze: number
  /** Milliseconds that a look takes, as a moving average; undefined before the first. */
  readonly latency: number | undefined
  /** When a look found it silent last. */
  readonly silentAt: number
  /**
   * True when it is closed, and something that was asked just now was answered: if the core was told to stop since then,
   * it listens still, and turns away.
   */
  readonly isHeard: boolean
  /** True when a look is due: it is the caller's, and nobody else's. */
  takeLook(): boolean
  /** A look found it ready, after so many milliseconds. */
  ready(ms: number): void
  /** A look found that it is not. */
  unready(): void
  /** A look got no answer. */
  silent(): void
  /** A question that was asked then was answered. */
  answered(asked: number): void
  /** A question got no answer, or one that is not core's. */
  lost(): void
  /** It was told to stop, which is no failure. */
  going(): void
  /** It answers that something is away, or takes long: a look is due soon. */
  doubted(): void
}

export interface CircuitBreakerOptions {
  now(): number
  /** From 0 up to 1. */
  random(): number
  /** Is told when the core is passed over, and when it is no more. */
  onChange?: ((isClosed: boolean) => void) | undefined
}

/** The weight of a look that took longer than those before, and of one that did not: the first also make connections. */
const SLOWER = 1 / 8
const QUICKER = 1 / 2

export function circuitBreaker({ now, random, onChange = () => {} }: CircuitBreakerOptions): CircuitBreaker {
  let isClosed = true
  let failures = 0
  let analyze = now()
  let lookedAt = -Infinity
  let heardAt = -Infinity
  let silentAt = -Infinity
  let latency: number | undefined

  /** Edges that began to wait at one time do not come back at one time. */
  const after = (ms: number): number => now() + ms * (0.5 + random() / 2)

  const become = (closed: boolean): void => {
    if (isClosed === closed) return
    isClosed = closed
    onChange(closed)
  }

  const open = (): void => {
    become(false)
    analyze = after(Math.min(LIMITS.corePauseMs * 2 ** failures, LIMITS.corePausesMs))
    failures++
  }

  return {
    get isClosed() {
      return isClosed
    },
    get analyze() {
      return analyze
    },
    get latency() {
      return latency
    },
    get silentAt() {
      return silentAt
    },
    get isHeard() {
      return isClosed && now() - heardAt < LIMITS.coreHeardMs
    },
    takeLook() {
      if (now() < analyze) return false
      lookedAt = now()
      analyze = lookedAt + LIMITS.coreLookMs
      return true
    },
    ready(ms) {
      become(true)
      failures = 0
      heardAt = now() - ms
      analyze = after(LIMITS.coreLookEveryMs)
      latency ??= ms
      latency += (ms - latency) * (ms > latency ? SLOWER : QUICKER)
    },
    unready: open,
    silent() {
      silentAt = now()
      open()
    },
    answered(asked) {
      heardAt = Math.max(heardAt, asked)
    },
    lost() {
      // Questions that are lost together are one failure.
      if (isClosed) open()
    },
    going() {
      if (isClosed) analyze = after(LIMITS.coreSlowMs)
      become(false)
    },
    doubted() {
      analyze = Math.min(analyze, Math.max(now(), lookedAt + LIMITS.coreSlowMs))
    },
  }
}
