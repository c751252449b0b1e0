/** Vector dimensions of galleries across shards, each of which stores only some vectors of a gallery. */
import { type VectorEntry, VectorRefused } from '../vector-store.ts'

/** Most galleries in the cache. The dimension of an evicted gallery is looked up again. */
const MAX_CACHED = 100_000

/** Cached state of a gallery. Entries are replaced, not mutated: another object means a change. */
interface CachedDimension {
  readonly dimension: number
  /** Additions in progress. While there are any, the dimension is fixed, even if no vector is stored yet. */
  readonly adding: number
}

/** Keeps all vectors of a gallery at one dimension. */
export class Dimensions {
  readonly #lookUp: (gallery: string) => Promise<number | undefined>
  readonly #cache = new Map<string, CachedDimension>()

  /** `lookUp` resolves with the dimension of a gallery's stored vectors, or with undefined when there are none. */
  constructor(lookUp: (gallery: string) => Promise<number | undefined>) {
    this.#lookUp = lookUp
  }

  /**
   * Runs `add` while the dimensions of the entries' galleries are fixed. Throws VectorRefused (`dimension`) when an
   * entry differs.
   */
  async holding(entries: readonly VectorEntry[], add: () => Promise<void>): Promise<void> {
    const wanted = new Map<string, number>()
    for (const { gallery, vector } of entries) {
      if ((wanted.get(gallery) ?? vector.length) !== vector.length) throw new VectorRefused('dimension')
      wanted.set(gallery, vector.length)
    }
    const held: string[] = []
    try {
      for (const [gallery, dimension] of wanted) {
        await this.#hold(gallery, dimension)
        held.push(gallery)
      }
      await add()
    } finally {
      for (const gallery of held) this.#release(gallery)
    }
  }

  async #hold(gallery: string, dimension: number): Promise<void> {
    for (;;) {
      const cached = this.#cache.get(gallery)
      if (cached?.dimension === dimension) return this.#remember(gallery, dimension, cached.adding + 1)
      if (cached && cached.adding > 0) throw new VectorRefused('dimension')
      // A new gallery, or a gallery that may have been emptied since it was cached.
      const stored = await this.#lookUp(gallery)
      if (this.#cache.get(gallery) !== cached) continue
      if (stored !== undefined && stored !== dimension) throw new VectorRefused('dimension')
      return this.#remember(gallery, dimension, 1)
    }
  }

  #release(gallery: string): void {
    const { dimension, adding } = this.#cache.get(gallery)!
    this.#remember(gallery, dimension, adding - 1)
  }

  #remember(gallery: string, dimension: number, adding: number): void {
    this.#cache.set(gallery, { dimension, adding })
    if (this.#cache.size <= MAX_CACHED) return
    for (const [other, { adding }] of this.#cache) {
      if (adding === 0) return void this.#cache.delete(other)
    }
  }
}
