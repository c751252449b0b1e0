/**
 * Splits the computation of analyses into pieces that alternate. An isolate has one thread; between two pieces the runtime
 * handles the events of other requests.
 */
import { LIMITS } from '../../contract/limits.ts'
import type { Pace } from '../../wasm/decode/pacing.ts'
import { fairQueue, pause } from '../admission/fair-queue.ts'

/** The runtime can end a request between taking a turn and starting its piece. A turn expires after this time. */
const LOST_MS = 1_000

/**
 * The pace of the isolate: analyses announce steps and run in order of announcement. `most` is the maximum length of a piece in
 * estimated microseconds; a longer step is a piece of its own. The clock of a deployed isolate does not advance within a
 * piece, hence the estimates.
 */
export function workPieces(most: number = LIMITS.pieceUs, now: () => number = Date.now): Pace {
  const waiting = fairQueue(2 * LIMITS.edgeRequests, now, 0)
  let done = 0
  let announced = 0
  let turnExpiresAt = 0
  const turn = {
    isAvailable: () => now() >= turnExpiresAt,
    take: () => {
      turnExpiresAt = now() + LOST_MS
    },
  }
  return async microseconds => {
    if (done + microseconds > most && done > 0) {
      // The queue alternates between tokens. A unique token per wait gives order of arrival.
      await waiting.acquire(`${announced++}`, turn)
      await pause(0)
      turnExpiresAt = 0
      done = 0
    }
    done += microseconds
  }
}
