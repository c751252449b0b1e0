/** Requirements on live shards and complete vectors of a search. */
import { environment } from '../../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../../contract/limits/store.ts'
import { type Shards, StoreUnavailable } from '../../../vector-store/vector-store.ts'
import type { MissingVectors } from '../../services.ts'

/**
 * Runs `work(false)`. If a shard becomes unavailable during it, runs `work(true)`, which first calls `reach` to wait for the
 * shards it needs. No retry after STORE_LIMITS.shardWaitMs.
 */
export async function retryOnShardLoss<Result>(work: (again: boolean) => Promise<Result>): Promise<Result> {
  const end = environment.monotonic() + STORE_LIMITS.shardWaitMs
  try {
    return await work(false)
  } catch (error) {
    const isShardUnavailable = error instanceof StoreUnavailable && error.why === 'away'
    if (!isShardUnavailable || environment.monotonic() > end) throw error
    return work(true)
  }
}

/** Shards of a response. While vectors are known to be missing, one shard less counts as live. */
export const reportedShards = ({ live, total }: Shards, lacking: MissingVectors | undefined): Shards => ({
  live: Math.max(0, lacking?.vectors ? live - 1 : live),
  total,
})

/** Throws StoreUnavailable for a strict search while vectors are known to be missing. */
export function requireComplete(lacking: MissingVectors | undefined, strict: boolean): void {
  if (strict && lacking?.vectors) throw new StoreUnavailable('away')
}

/** Throws StoreUnavailable when no shard is live, and for a strict search when a shard is unavailable. */
export function requireShards({ live, total }: Shards, strict: boolean): void {
  if (live === 0 || (strict && live < total)) throw new StoreUnavailable('away')
}
