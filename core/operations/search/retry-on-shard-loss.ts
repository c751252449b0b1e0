/** Once more: what a part of the store has left in the midst is done again, when there is time for that. */
import { LIMITS } from '../../contract/limits.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'

/**
 * The outcome of the work. Where a part of the store goes while that is done, it is done a second time: it has to reach the
 * parts that it needs, which waits for what has only just gone. Whoever has been waiting for long already is not made to again.
 */
export async function retryOnShardLoss<Result>(work: (again: boolean) => Promise<Result>): Promise<Result> {
  const end = performance.now() + LIMITS.shardPatienceMs
  try {
    return await work(false)
  } catch (error) {
    const isDatabaseUnavailable = error instanceof StoreUnavailable && error.why === 'away'
    if (!isDatabaseUnavailable || performance.now() > end) throw error
    return work(true)
  }
}
