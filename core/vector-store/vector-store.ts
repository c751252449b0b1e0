/** What a feature-vector store promises, whatever keeps the vectors: memory and a file, shards, another database. */

/** One vector's place: a gallery's name in the store and an id that is unique within it. */
export interface VectorKey {
  gallery: string
  id: number
}

/** A vector to keep. Its length is free, but the same for all vectors of a gallery. */
export interface VectorEntry extends VectorKey {
  vector: Float32Array
}

/** A vector that a search found. The score is the cosine of the angle to the probe: -1..1, greater is closer. */
export interface Candidate {
  id: number
  score: number
  /** As it was added, to the bit; only where a search asked for vectors. */
  vector?: Float32Array
}

/**
 * Where a vector is while it waits for the index: a new one is `linear`; `preindex` is what the next index is being
 * made of, beside the old one; `indexed` is what the loaded index finds.
 */
export type Space = 'linear' | 'preindex' | 'indexed'

/** How much a search answers with. */
export interface SearchBounds {
  limit: number
  /** Candidates below this score are left out. */
  minScore: number
  /** Looks at the space `linear` alone, whatever the store is set to. */
  linearOnly?: boolean
  /** Each candidate comes with its vector. */
  withVectors?: boolean
}

/** How many parts a store has that can be away one by one, and how many of them answered. */
export interface Shards {
  live: number
  total: number
}

/** What a search found. Where parts of the store are away, it is what the others have. */
export interface Found extends Shards {
  /** By falling score, equal scores by rising id. */
  candidates: Candidate[]
  /** Whether an index was asked: then a candidate may be missing, as its recall says. Else the search was exact. */
  withIndex: boolean
}

/** A stored vector as a list shows it. */
export interface ListedVector {
  id: number
  space: Space
  vector: Float32Array
}

/** Vectors of a gallery by rising id. */
export interface VectorPage {
  vectors: ListedVector[]
  /** The id that the next page starts with; undefined after the last. */
  next: number | undefined
}

/** How many vectors a gallery has, and what its index is. */
export interface GalleryStatistics {
  gallery: string
  linear: number
  preindex: number
  indexed: number
  /** Vectors of these spaces that are deleted, and still named by the file of the index, or of the one being built. */
  preindexDeleted: number
  indexedDeleted: number
  /** The name of the index's file; undefined where there is none. */
  indexFile: string | undefined
  indexLoaded: boolean
  /** Tells one loaded index of this process from another; 0 where none is loaded. */
  indexHandle: number
}

/** How far a gallery's index is. `progress` is 0..1, and 1 unless it is being built. */
export interface IndexState {
  state: 'none' | 'building' | 'ready' | 'failed'
  progress: number
}

/** Galleries of vectors. An unknown gallery is an empty one; it comes with its first vector and goes with its last. */
export interface VectorStore {
  /**
   * Keeps all of these or, for the caller, none. When it resolves they are searchable and survive a loss of power.
   * Rejects with VectorRefused when a key is taken or a vector can't be compared, and with StoreUnavailable when the part
   * that would keep one of them does not answer: after a crash in the midst of that, some may be there.
   */
  add(entries: readonly VectorEntry[]): Promise<void>

  /**
   * Forgets these, wherever they are kept, and tells which of them were there. Durable when it resolves, and no byte of
   * them is left, but in a database, which purges in its own time. Rejects with StoreUnavailable when a part that keeps one of
   * them does not answer; others may be gone then.
   */
  remove(keys: readonly VectorKey[]): Promise<VectorKey[]>

  /**
   * Rejects with StoreUnavailable when a part that keeps what has one of these ids, or any part where none are named, does not
   * answer. One of several that has gone only just now is waited for, LIMITS.shardPatienceMs at most.
   */
  reach(ids?: readonly number[]): Promise<void>

  /** The vector that was added under this key, to the bit; undefined when there is none. Rejects with StoreUnavailable. */
  get(key: VectorKey): Promise<Float32Array | undefined>

  /**
   * The closest vectors of a gallery. Exact where no index is asked: then equal stores give equal answers, in whatever
   * order the vectors came. Rejects with VectorRefused when the probe can't be compared. Parts that are away are
   * counted, not waited for.
   */
  search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found>

  /** At most `count` vectors whose id is `from` or above. Rejects with StoreUnavailable. */
  list(gallery: string, from: number, count: number): Promise<VectorPage>

  /** Every key, in no order; what is added or removed meanwhile may be missing or present. Throws StoreUnavailable. */
  keys(): AsyncIterable<VectorKey>

  /** Every gallery, by name. Rejects with StoreUnavailable. */
  galleries(): Promise<GalleryStatistics[]>

  /** One gallery; undefined when it is unknown. Rejects with StoreUnavailable. */
  gallery(name: string): Promise<GalleryStatistics | undefined>

  /**
   * Begins to make an index of all that the gallery has, unless that is under way; it goes on after this resolves.
   * Rejects with StoreUnavailable.
   */
  startIndex(gallery: string): Promise<IndexState>

  /** Rejects with StoreUnavailable. */
  indexState(gallery: string): Promise<IndexState>

  /** Lets go of files and memory; nothing may be asked afterwards. */
  close(): Promise<void>
}

/**
 * A vector that the store does not take: its key is taken (`duplicate`), its length is not the gallery's (`dimension`),
 * or it holds NaN, an infinity or nothing but zeros (`malformed`).
 */
export class VectorRefused extends Error {
  override readonly name = 'VectorRefused'
  readonly why: 'duplicate' | 'dimension' | 'malformed'

  constructor(why: VectorRefused['why']) {
    super(`vector refused: ${why}`)
    this.why = why
  }
}

/** A part of the store that does not answer (`away`), or cannot keep anything more (`full`). */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly why: 'away' | 'full'

  constructor(why: StoreUnavailable['why'], options?: ErrorOptions) {
    super(`store: ${why}`, options)
    this.why = why
  }
}
