/** Group commit: collects concurrent additions and removals into one transaction, and refuses each one by itself. */
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { unitVector } from '../unit-vector.ts'
import { type VectorEntry, type VectorKey, VectorRefused } from '../vector-store.ts'

/** An operation that a caller waits for. */
export type Work = Addition | Removal

export interface Addition {
  readonly verb: 'add'
  readonly entries: readonly VectorEntry[]
  /** Whether stored vectors give way to the entries. */
  readonly replaces: boolean
  resolve(): void
  reject(error: Error): void
}

export interface Removal {
  readonly verb: 'remove'
  readonly keys: readonly VectorKey[]
  resolve(removed: VectorKey[]): void
  reject(error: Error): void
}

/** An accepted addition, with the unit vectors of its entries. */
export interface TakenAddition {
  readonly work: Addition
  readonly units: readonly Float32Array[]
}

/** An accepted removal; `known` has each existing key once. */
export interface TakenRemoval {
  readonly work: Removal
  readonly known: VectorKey[]
}

/** Changes of a batch to one gallery. */
interface Touched {
  readonly ids: Set<number>
  /** Dimension of the added vectors. */
  dimension: number | undefined
}

/** State of a gallery with vectors, as a batch needs it. */
export interface StoredGallery {
  readonly dimension: number
  /** Whether a vector with this id can be served. */
  serves(id: number): boolean
  /** Whether a vector with this id can be removed; true for damaged ones, too. */
  keeps(id: number): boolean
}

type Galleries = ReadonlyMap<string, StoredGallery>

/** Operations of one transaction. */
export class Batch {
  readonly additions: TakenAddition[] = []
  readonly removals: TakenRemoval[] = []
  readonly #galleries: Galleries
  readonly #touched = new Map<string, Touched>()

  constructor(galleries: Galleries) {
    this.#galleries = galleries
  }

  get isEmpty(): boolean {
    return this.additions.length === 0 && this.removals.length === 0
  }

  /**
   * Accepts an operation, or rejects it with VectorRefused. Returns false when the outcome depends on this batch: the
   * caller then offers the operation again after the batch is written. An empty batch never returns false.
   */
  take(work: Work): boolean {
    return work.verb === 'add' ? this.#takeAddition(work) : this.#takeRemoval(work)
  }

  #takeAddition(work: Addition) {
    const own = new Batch(this.#galleries)
    try {
      for (const entry of work.entries) {
        if (this.#dependsOnBatch(entry)) return false
        own.#admit(entry, work)
      }
      this.additions.push({ work, units: work.entries.map(({ vector }) => unitVector(vector)) })
    } catch (error) {
      work.reject(error as Error)
      return true
    }
    for (const [gallery, { ids, dimension }] of own.#touched) {
      const touched = this.#touch(gallery)
      for (const id of ids) touched.ids.add(id)
      touched.dimension ??= dimension
    }
    return true
  }

  /**
   * Whether the outcome for an entry depends on the batch: on its changes to the id, or to the dimension of a gallery
   * that the batch creates or empties.
   */
  #dependsOnBatch({ gallery, id, vector }: VectorEntry) {
    const touched = this.#touched.get(gallery)
    if (!touched) return false
    const dimension = this.#galleries.get(gallery)?.dimension ?? touched.dimension
    return touched.ids.has(id) || vector.length !== dimension
  }

  /** Throws VectorRefused when an entry conflicts with stored vectors or with earlier entries. */
  #admit({ gallery, id, vector }: VectorEntry, { replaces }: Addition) {
    const stored = this.#galleries.get(gallery)
    const touched = this.#touch(gallery)
    if ((stored?.serves(id) && !replaces) || touched.ids.has(id)) throw new VectorRefused('duplicate')
    touched.ids.add(id)
    const dimension = stored?.dimension ?? touched.dimension ?? vector.length
    const possible = dimension > 0 && dimension <= STORE_LIMITS.vectorLength
    if (vector.length !== dimension || !possible) throw new VectorRefused('dimension')
    touched.dimension = dimension
  }

  #takeRemoval(work: Removal) {
    if (work.keys.some(({ gallery, id }) => this.#touched.get(gallery)?.ids.has(id))) return false
    const known: VectorKey[] = []
    for (const { gallery, id } of work.keys) {
      const stored = this.#galleries.get(gallery)
      if (!stored?.keeps(id)) continue
      const touched = this.#touch(gallery)
      if (touched.ids.has(id)) continue
      touched.ids.add(id)
      known.push({ gallery, id })
    }
    if (known.length > 0) this.removals.push({ work, known })
    else work.resolve([])
    return true
  }

  #touch(gallery: string): Touched {
    const touched = this.#touched.get(gallery) ?? { ids: new Set(), dimension: undefined }
    this.#touched.set(gallery, touched)
    return touched
  }
}
