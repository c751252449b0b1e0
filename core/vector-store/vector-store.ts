/** Interface of a vector store, for every implementation: memory and a file, shards, another database. */

/** Key of a vector: the name of its gallery, and an id that is unique within the gallery. */
export interface VectorKey {
  gallery: string
  id: number
}

/** A vector to store. All vectors of a gallery have the same length. */
export interface VectorEntry extends VectorKey {
  vector: Float32Array
}

/** A vector that a search found. `score` is the cosine of its angle to the probe, -1..1; greater is closer. */
export interface Candidate {
  id: number
  score: number
  /** The stored vector, bit for bit; only with `SearchBounds.withVectors`. */
  vector?: Float32Array
}

/**
 * Position of a vector in relation to its gallery's index. `linear`: outside of any index. `preindex`: in the snapshot
 * that the next index is built from. `indexed`: in the loaded index.
 */
export type Space = 'linear' | 'preindex' | 'indexed'

/** Bounds of a search result. */
export interface SearchBounds {
  limit: number
  /** Candidates with a lower score are left out. */
  minScore: number
  /** Searches only the space `linear`, whatever the store's settings are. */
  linearOnly?: boolean
  /** Each candidate carries its vector. */
  withVectors?: boolean
}

/** Number of shards that responded, and number of all shards. */
export interface Shards {
  live: number
  total: number
}

/** Result of a search. It lacks the vectors of unavailable shards. */
export interface Found extends Shards {
  /** By falling score, then by rising id. */
  candidates: Candidate[]
  /**
   * True when an index was used: candidates may then be missing, within the index's recall. Otherwise the search was
   * exact.
   */
  withIndex: boolean
}

/** A stored vector in a list. */
export interface ListedVector {
  id: number
  space: Space
  vector: Float32Array
}

/** Vectors of a gallery by rising id. */
export interface VectorPage {
  vectors: ListedVector[]
  /** First id of the next page; undefined on the last page. */
  next: number | undefined
}

/** Vector counts and index of a gallery. */
export interface GalleryStatistics {
  gallery: string
  linear: number
  preindex: number
  indexed: number
  /** Deleted vectors that the index file (`indexed`), or the index being built (`preindex`), still lists. */
  preindexDeleted: number
  indexedDeleted: number
  /** Name of the index file; undefined without an index. */
  indexFile: string | undefined
  indexLoaded: boolean
  /** Distinguishes the loaded indexes of this process; 0 when no index is loaded. */
  indexHandle: number
}

/** Totals of a shard in this process. Counts of commits begin with its thread. */
export interface ShardContents {
  galleries: number
  /** Vectors by space. */
  linear: number
  preindex: number
  indexed: number
  /** Vectors outside of the index, in galleries that have an index or are large enough for one. */
  unindexed: number
  /** Galleries whose index is being built. */
  building: number
  /** Group commits, and the vectors that they added or removed. */
  commits: number
  committed: number
}

/** State of a shard. `contents` is undefined while the shard is unavailable, and for a shard outside of this process. */
export interface ShardState {
  isAvailable: boolean
  contents?: ShardContents
}

/** Progress of a gallery's index. `progress` is 0..1 during a build, and 1 otherwise. */
export interface IndexState {
  state: 'none' | 'building' | 'ready' | 'failed'
  progress: number
}

/**
 * A store of vectors in galleries. An unknown gallery is an empty one: a gallery exists from its first vector to its
 * last.
 */
export interface VectorStore {
  /**
   * Stores all entries, or rejects and stores none. When it resolves, the vectors are searchable and durable. Rejects with
   * VectorRefused when a key is taken or a vector cannot be compared, and with StoreUnavailable when a shard of an entry does not
   * respond. After a crash during the call, some of the entries may be stored. With `replaces`, a taken key is no error: a search
   * finds the earlier vector of a key or the new one, also after a crash.
   */
  add(entries: readonly VectorEntry[], how?: { replaces?: boolean }): Promise<void>

  /**
   * Removes the vectors of these keys; resolves with the keys that existed. When it resolves, the removal is durable and no byte of
   * the vectors is left. PostgreSQL purges the bytes later. Rejects with StoreUnavailable when a shard of a key does not respond;
   * vectors in other shards may be removed then.
   */
  remove(keys: readonly VectorKey[]): Promise<VectorKey[]>

  /**
   * Checks that the shards of these ids, or all shards without `ids`, respond. Waits for a shard whose outage is
   * recent, up to STORE_LIMITS.shardWaitMs. Rejects with StoreUnavailable when a shard does not respond.
   */
  reach(ids?: readonly number[]): Promise<void>

  /** The vector of this key, bit for bit; undefined when there is none. Rejects with StoreUnavailable. */
  get(key: VectorKey): Promise<Float32Array | undefined>

  /**
   * The closest vectors of a gallery. Exact without an index: equal stores return equal results, independent of the
   * order of additions. Rejects with VectorRefused when the probe cannot be compared. Unavailable shards are counted,
   * not waited for.
   */
  search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found>

  /** At most `count` vectors with an id of `from` or above. Rejects with StoreUnavailable. */
  list(gallery: string, from: number, count: number): Promise<VectorPage>

  /**
   * Every key, in no particular order. Keys that are added or removed during the iteration may be missing or present.
   * Throws StoreUnavailable.
   */
  keys(): AsyncIterable<VectorKey>

  /** Every gallery, sorted by name. Rejects with StoreUnavailable. */
  galleries(): Promise<GalleryStatistics[]>

  /** One gallery; undefined when it is unknown. Rejects with StoreUnavailable. */
  gallery(name: string): Promise<GalleryStatistics | undefined>

  /**
   * Starts to build an index of all vectors of the gallery, unless a build is in progress. The build continues after
   * this resolves. Rejects with StoreUnavailable.
   */
  startIndex(gallery: string): Promise<IndexState>

  /** State of the gallery's index. Rejects with StoreUnavailable. */
  indexState(gallery: string): Promise<IndexState>

  /** The state of each shard, in the order of the layout. Does not reject for an unavailable shard. */
  states(): Promise<ShardState[]>

  /** Releases files and memory. The store must not be used afterwards. */
  close(): Promise<void>
}

/**
 * A vector that the store refuses: its key is taken (`duplicate`), its length differs from the gallery's (`dimension`),
 * or it contains NaN, an infinity or only zeros (`malformed`).
 */
export class VectorRefused extends Error {
  override readonly name = 'VectorRefused'
  readonly why: 'duplicate' | 'dimension' | 'malformed'

  constructor(why: VectorRefused['why']) {
    super(`vector refused: ${why}`)
    this.why = why
  }
}

/** A store whose shards or files cannot be used as they are. The message states the reason and the remedy. */
export class LayoutRefused extends Error {
  override readonly name = 'LayoutRefused'
}

/** A shard does not respond (`away`), or cannot store more vectors (`full`). */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly why: 'away' | 'full'

  constructor(why: StoreUnavailable['why'], options?: ErrorOptions) {
    super(`store: ${why}`, options)
    this.why = why
  }
}
