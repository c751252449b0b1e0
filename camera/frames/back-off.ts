/** Waits between attempts to open a stream or to reach the service. */
import { environment, sleep } from '../../contract/environment.ts'

/** First and longest wait in milliseconds. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

/** Milliseconds before the next attempt. Doubles with each failure; `random`, 0 to 1, spreads cameras that failed together. */
export const backOffMs = (failures: number, random = environment.random()): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 16)) * (0.5 + random / 2)

/** Resolves after the time, or as soon as the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, { signal }).catch(() => {})
