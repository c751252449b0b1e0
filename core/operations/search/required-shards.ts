/** Whether a search may be answered when parts of the store are away. */
import { type Shards, StoreAway } from '../../vector-store/vector-store.ts'
import type { Lacking } from '../services.ts'

/** A shard whose vectors are known to be missing in part answers, and does not count as live. */
export const toldShards = ({ live, total }: Shards, lacking: Lacking | undefined): Shards => ({
  live: Math.max(0, lacking?.vectors ? live - 1 : live),
  total,
})

/** Throws StoreAway where vectors are known to be missing and the search has to be strict. */
export function requireComplete(lacking: Lacking | undefined, strict: boolean): void {
  if (strict && lacking?.vectors) throw new StoreAway('away')
}

/** Throws StoreAway when no shard is live, and when one is away and the search has to be strict. */
export function requireShards({ live, total }: Shards, strict: boolean): void {
  if (live === 0 || (strict && live < total)) throw new StoreAway('away')
}
