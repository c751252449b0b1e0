/** Whether a search may be answered when parts of the store are away. */
import { type Shards, StoreUnavailable } from '../../vector-store/vector-store.ts'
import type { MissingVectors } from '../services.ts'

/** A shard whose vectors are known to be missing in part answers, and does not count as live. */
export const reportedShards = ({ live, total }: Shards, lacking: MissingVectors | undefined): Shards => ({
  live: Math.max(0, lacking?.vectors ? live - 1 : live),
  total,
})

/** Throws StoreUnavailable where vectors are known to be missing and the search has to be strict. */
export function requireComplete(lacking: MissingVectors | undefined, strict: boolean): void {
  if (strict && lacking?.vectors) throw new StoreUnavailable('away')
}

/** Throws StoreUnavailable when no shard is live, and when one is away and the search has to be strict. */
export function requireShards({ live, total }: Shards, strict: boolean): void {
  if (live === 0 || (strict && live < total)) throw new StoreUnavailable('away')
}
