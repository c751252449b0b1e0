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
}

/** How much a search answers with. */
export interface SearchBounds {
  limit: number
  /** Candidates below this score are left out. */
  minScore: number
}

/** Galleries of vectors. An unknown gallery is an empty one; it comes with its first vector and goes with its last. */
export interface VectorStore {
  /**
   * Keeps all of these or none. When it resolves they are searchable and survive a loss of power.
   * Rejects with VectorRefused when a key is taken or a vector can't be compared.
   */
  add(entries: readonly VectorEntry[]): Promise<void>

  /** Forgets these, wherever they are kept; keys without a vector are passed over. Durable when it resolves. */
  remove(keys: readonly VectorKey[]): Promise<void>

  /** The vector that was added under this key, to the bit; undefined when there is none. */
  get(key: VectorKey): Promise<Float32Array | undefined>

  /**
   * The closest vectors of a gallery: sorted by falling score, equal scores by rising id. Equal stores give equal
   * answers, in whatever order the vectors came. Rejects with VectorRefused when the probe can't be compared.
   */
  search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Candidate[]>

  /** Every key, in no order; what is added or removed meanwhile may be missing or present. */
  keys(): AsyncIterable<VectorKey>

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
