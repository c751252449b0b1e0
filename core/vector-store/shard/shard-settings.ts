/** Settings of a shard. */
import type { DataKey } from '../../encryption/encrypt.ts'

/** Receives a message about damage, and the number of vectors that are no longer served. The message never contains a vector. */
export type Damage = (what: string, vectors?: number) => void

export interface ShardSettings {
  /** Vectors of a gallery in the space `linear` above which an index is built automatically. Default: STORE_LIMITS.indexAbove. */
  indexAbove?: number
  /** Key that encrypts rows and indexes; they are plaintext when it is absent. */
  dataKey?: DataKey
  /** Heap limit of the shard's thread in megabytes, if it has a thread. Default: the limit of the process. */
  heapMegabytes?: number
  /**
   * Called for each damage with its location and the action taken. May be called before the shard is open, and at any
   * time while it is open.
   */
  onDamage?: Damage
}
