/** Face ids: time-ordered integers below 2^53, unix seconds x 2,560,000 plus 0.1 ms ticks x 256 plus a counter. */
import * as z from 'zod'
import { environment } from './environment.ts'

const PER_SECOND = 2_560_000
/** Distance between the least ids of two consecutive days. */
export const IDS_OF_A_DAY = 86_400 * PER_SECOND

const PER_TICK = 256

/** Face id in paths and messages. */
export const FaceId = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/**
 * Generates ids that increase within one process. The counter of each tick starts at random to make collisions between
 * processes rare. On a collision the primary key rejects the second id, and the caller retries with the next one.
 */
export function idSource(
  now: () => number = environment.now,
  random: () => number = environment.random,
): () => number {
  let last = 0
  return () => {
    const millis = now()
    const seconds = Math.floor(millis / 1000)
    const ticks = Math.floor((millis - seconds * 1000) * 10)
    const fresh = seconds * PER_SECOND + ticks * PER_TICK + Math.floor(random() * PER_TICK)
    last = Math.max(fresh, last + 1)
    return last
  }
}

/** Least id of a face enrolled at or after `time` (Unix milliseconds), by the same clock. */
export const leastIdSince = (time: number): number => Math.floor(time / 1000) * PER_SECOND
