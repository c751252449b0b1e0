/** Whether a search may be answered when parts of the store are away. */
import { type Shards, StoreAway } from '../store/store.ts'

/** Throws StoreAway when no shard is live, and when one is away and the search has to be strict. */
export function requireShards({ live, total }: Shards, strict: boolean): void {
  if (live === 0 || (strict && live < total)) throw new StoreAway('away')
}
