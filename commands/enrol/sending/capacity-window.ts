/**
 * Finds how many requests the service handles at once: additive increase, multiplicative decrease. Pure; times are arguments.
 *
 * The window estimates the requests that wait inside the service: `limit * (1 - unloaded latency / latency)`, as TCP Vegas
 * does (Brakmo 1994). Few keep the service busy, many only wait.
 */

/** Requests in progress: bounds and start. */
export const LEAST = 1
export const MOST = 64
const FIRST = 2

/** Factors of the limit after a refusal, and after a growing latency. */
const AFTER_REFUSAL = 0.5
const AFTER_WAITING = 0.8

/** Waiting requests below which the limit grows, and above which it falls: a constant and a share of the limit. */
const growsBelow = (limit: number): number => 2 + 0.15 * limit
const fallsAbove = (limit: number): number => 4 + 0.3 * limit

/** Requests of one measurement at least. Photos differ in size, so their mean counts. */
const SAMPLES = 8

/** Interval at which half of the limit measures the unloaded latency again: the photos or the service may have changed. */
const PROBE_EVERY_MS = 20_000

/** Pause after the first refusal without Retry-After, doubled with each further round of refusals, and the longest. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000

/** A request in progress. */
export interface Started {
  at: number
  round: number
}

export interface CapacityWindow {
  /** Requests that may be in progress: LEAST to MOST. */
  limit(): number
  inProgress(): number
  /** Milliseconds until a request may start; 0: now; undefined: after another one has ended. */
  waitMs(now: number): number | undefined
  start(now: number): Started
  /** The service has handled the request. */
  answered(started: Started, now: number): void
  /** The service is overloaded or away. `retryAfterMs` as it said. */
  refused(started: Started, now: number, retryAfterMs?: number): void
  /** The request has ended without a statement about the service. */
  ended(): void
}

export function capacityWindow(): CapacityWindow {
  let limit = FIRST
  let inProgress = 0
  let pausedUntil = 0
  let refusals = 0
  /** The limit doubles per round until requests wait. */
  let isStarting = true
  /** Mean latency in milliseconds without waiting requests. */
  let unloadedMs: number | undefined
  let probedAt: number | undefined
  /** The limit before the probe in progress. */
  let beforeProbe: number | undefined
  /** A round has one limit. Requests of earlier rounds are not measured. */
  let round = { number: 0, sumMs: 0, count: 0, wasFull: false }

  const whole = (): number => Math.floor(limit)
  const setLimit = (wanted: number): void => {
    limit = Math.min(MOST, Math.max(LEAST, wanted))
    round = { number: round.number + 1, sumMs: 0, count: 0, wasFull: false }
  }

  /** Ends a round: adjusts the limit to the requests that waited. */
  const adjust = (meanMs: number, now: number): void => {
    probedAt ??= now
    if (beforeProbe !== undefined || unloadedMs === undefined) {
      unloadedMs = meanMs
      probedAt = now
      setLimit(beforeProbe ?? limit)
      beforeProbe = undefined
      return
    }
    if (now - probedAt >= PROBE_EVERY_MS) {
      beforeProbe = limit
      setLimit(limit / 2)
      return
    }
    const waiting = whole() * (1 - Math.min(1, unloadedMs / meanMs))
    if (waiting >= growsBelow(limit)) isStarting = false
    if (waiting > fallsAbove(limit)) setLimit(limit * AFTER_WAITING)
    else if (waiting < growsBelow(limit) && round.wasFull) setLimit(isStarting ? limit * 2 : limit + 1)
    else setLimit(limit)
  }

  return {
    limit: whole,
    inProgress: () => inProgress,
    waitMs(now) {
      if (inProgress >= whole()) return undefined
      return Math.max(0, pausedUntil - now)
    },
    start(now) {
      inProgress++
      round.wasFull ||= inProgress >= whole()
      return { at: now, round: round.number }
    },
    answered(started, now) {
      inProgress--
      refusals = 0
      if (started.round !== round.number) return
      round.sumMs += now - started.at
      round.count++
      if (round.count >= Math.max(SAMPLES, whole())) adjust(round.sumMs / round.count, now)
    },
    refused(started, now, retryAfterMs) {
      inProgress--
      // Requests that started together are refused together: they count once.
      if (started.round === round.number) {
        isStarting = false
        beforeProbe = undefined
        setLimit(limit * AFTER_REFUSAL)
        refusals++
      }
      const pauseMs =
        retryAfterMs ?? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, refusals - 1))
      pausedUntil = Math.max(pausedUntil, now + pauseMs)
    },
    ended() {
      inProgress--
    },
  }
}
