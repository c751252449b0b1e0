/** What a shard can be set to. */
import type { DataKey } from '../../encryption/encrypt.ts'

export type Damage = (what: string, vectors?: number) => void

export interface ShardSettings {
  /**
   * Vectors of a gallery in the space `linear` above which an index is made by itself; LIMITS.indexAbove unless given.
   */
  indexAbove?: number | undefined
  /** Searches look at the index alone where there is one, unless they ask for `linearOnly`. False unless given. */
  onlyIndex?: boolean | undefined
  /** What the rows and indexes are sealed with; they lie in the clear when absent. */
  dataKey?: DataKey | undefined
  /** Bound on the heap of the shard's thread, where it has one; that of the process unless given. */
  heapMegabytes?: number | undefined
  /**
   * Told of everything that was found damaged: what it is, where, and what was done about it. Never a vector.
   * It may be called before the shard is open, and at any time while it is. `vectors` is how many are not served for it.
   */
  onDamage?: Damage | undefined
}
