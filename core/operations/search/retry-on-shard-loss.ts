/** Retries an operation once when a shard becomes unavailable during it. */
import { LIMITS } from '../../../contract/limits.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'

/**
 * Runs `work(false)`. If a shard becomes unavailable during it, runs `work(true)`, which first calls `reach` to wait for the
 * shards it needs. No retry after LIMITS.shardWaitMs.
 */
export async function retryOnShardLoss<Result>(work: (again: boolean) => Promise<Result>): Promise<Result> {
  const end = performance.now() + LIMITS.shardWaitMs
  try {
    return await work(false)
  } catch (error) {
    const isShardUnavailable = error instanceof StoreUnavailable && error.why === 'away'
    if (!isShardUnavailable || performance.now() > end) throw error
    return work(true)
  }
}
