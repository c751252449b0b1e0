/** Deadlines of questions to shards. */
import { StoreUnavailable } from './vector-store.ts'

/**
 * How long to wait beyond the deadline. When this process itself was held up, answers that have arrived meanwhile are
 * read before it is said that they have not.
 */
const READING_MS = 50

/** The outcome of the work, or StoreUnavailable when that takes longer. The signal then tells the work to give up. */
export async function inTime<Outcome>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const giveUp = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => {
        reject(new StoreUnavailable('away'))
        giveUp.abort()
      }, READING_MS)
    }, ms)
  })
  try {
    return await Promise.race([work(giveUp.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
