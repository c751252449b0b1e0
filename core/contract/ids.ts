/** Face ids: time-ordered integers below 2^53, unix seconds x 2,560,000 plus 0.1 ms ticks x 256 plus a counter. */
import * as z from 'zod'

const PER_SECOND = 2_560_000
/** How far apart are the least ids of two days that follow each other. */
export const IDS_OF_A_DAY = 86_400 * PER_SECOND

const PER_TICK = 256

/** A face id as it comes in a path or a message. */
export const FaceId = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/**
 * A source of ids that rise within one process. The counter starts at random within each tick, so that two processes
 * seldom meet; where they do, the primary key refuses the second, and its next id is tried.
 */
export function idSource(now: () => number = Date.now, random: () => number = Math.random): () => number {
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

/** The least id that a face enrolled at or after this time (Unix milliseconds) can have, by the same clock. */
export const leastIdSince = (time: number): number => Math.floor(time / 1000) * PER_SECOND
