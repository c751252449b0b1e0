/**
 * The turns of analyses: one piece of work at a time. The runtime handles what has arrived before each piece, because an
 * isolate has one thread and a request is handled between two tasks only.
 */
import { LIMITS } from '../../core/contract/limits.ts'
import type { Pace } from '../../wasm/decode/pacing.ts'
import { fairQueue, pause } from '../admission/fair-queue.ts'

/** How long a turn may be prepared before it counts as lost: the runtime can end a request without a word. */
const LOST_MS = 1_000

/**
 * The isolate's pace: analyses that announce work take turns, in the order in which they announced it. `least` is the work
 * in microseconds that a piece has at most, unless one step of it takes longer. It is estimated, because the clock of a
 * deployed isolate stands still within a piece.
 */
export function workPieces(most: number = LIMITS.pieceUs, now: () => number = Date.now): Pace {
  const waiting = fairQueue(2 * LIMITS.edgeRequests, now, 0)
  let done = 0
  let announced = 0
  let lostAt = 0
  const turn = {
    isAvailable: () => now() >= lostAt,
    take: () => {
      lostAt = now() + LOST_MS
    },
  }
  return async work => {
    if (done + work > most && done > 0) {
      // A name of its own for each: the line serves names in turn, so this one is served in the order of arrival.
      await waiting.acquire(`${announced++}`, turn)
      await pause(0)
      lostAt = 0
      done = 0
    }
    done += work
  }
}
