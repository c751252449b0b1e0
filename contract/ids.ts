/** Face ids: time-ordered integers below 2^53, unix milliseconds x 2,560 plus a counter. */
import { environment } from './environment.ts'
import { Natural } from './scalars.ts'

const PER_MILLISECOND = 2_560
/** Distances between the least ids of two consecutive seconds and days. */
export const IDS_OF_A_SECOND = 1_000 * PER_MILLISECOND
export const IDS_OF_A_DAY = 86_400 * IDS_OF_A_SECOND

/** Face id in paths and messages. */
export const FaceId = Natural

/**
 * Generates ids that increase within one process. The counter of each millisecond starts at random: collisions between processes,
 * and after the clock was set back, are rare. The primary key rejects the id of an existing face, and the caller retries with the
 * next id. The id of a deleted face is no longer known.
 */
export function idSource(
  now: () => number = environment.now,
  random: () => number = environment.random,
): () => number {
  let last = 0
  return () => {
    const fresh = Math.floor(now()) * PER_MILLISECOND + Math.floor(random() * PER_MILLISECOND)
    last = Math.max(fresh, last + 1)
    return last
  }
}

/** Least id of a face enrolled at or after `time` (Unix milliseconds), by the same clock. */
export const leastIdSince = (time: number): number => Math.floor(time / 1000) * IDS_OF_A_SECOND
