/** A store over several shards. Each shard stores the vectors with ids in its cells. Each gallery has one dimension across shards. */
import { BestCandidates } from '../best-candidates.ts'
import {
  type Found,
  type GalleryStatistics,
  type IndexState,
  type SearchBounds,
  type ShardState,
  StoreUnavailable,
  type VectorEntry,
  type VectorKey,
  type VectorPage,
  VectorRefused,
  type VectorStore,
} from '../vector-store.ts'
import type { WatchedShard } from './health.ts'
import { cellOf } from './layout.ts'

/** Vectors that a shard adds or removes within one deadline. */
const PER_DEADLINE = 500

/** One store over these shards, which serve every cell. Closing the store closes the shards. */
export const shardedStore = (shards: readonly WatchedShard[]): VectorStore => new ShardedStore(shards)

class ShardedStore implements VectorStore {
  readonly #shards: readonly WatchedShard[]
  readonly #byCell = new Map<number, WatchedShard>()
  readonly #dimensions: Dimensions

  constructor(shards: readonly WatchedShard[]) {
    this.#shards = shards
    for (const shard of shards) for (const cell of shard.cells) this.#byCell.set(cell, shard)
    this.#dimensions = new Dimensions(gallery => this.#dimension(gallery))
  }

  async add(entries: readonly VectorEntry[], how?: { replaces?: boolean }): Promise<void> {
    const parts = this.#grouped(entries)
    for (const shard of parts.keys()) shard.assertAvailable()
    await this.#dimensions.holding(entries, () => this.#addParts([...parts], how))
  }

  async remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    const parts = [...this.#grouped(keys)]
    for (const [shard] of parts) shard.assertAvailable()
    const removed = await Promise.all(parts.map(([shard, own]) => removeFrom(shard, own)))
    return removed.flat()
  }

  async reach(ids?: readonly number[]): Promise<void> {
    const parts = ids ? new Set(ids.map(id => this.#serving(id))) : this.#shards
    await Promise.all([...parts].map(shard => shard.reach()))
  }

  async get(key: VectorKey): Promise<Float32Array | undefined> {
    return this.#serving(key.id).call(store => store.get(key))
  }

  async search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found> {
    const answers = await Promise.all(
      this.#shards.map(shard =>
        shard.call(store => store.search(gallery, probe, bounds)).catch(unlessUnexpected),
      ),
    )
    const found = answers.flatMap(answer => (answer instanceof Error ? [] : answer))
    const all = new Map(found.flatMap(({ candidates }) => candidates.map(each => [each.id, each] as const)))
    const best = new BestCandidates(bounds)
    for (const { id, score } of all.values()) best.offer(id, score)
    const candidates = best.ranked().map(({ id }) => all.get(id)!)
    const refusal = answers.find(answer => answer instanceof VectorRefused)
    // If other shards found candidates, the probe fits the gallery and the refusing shard is wrong.
    if (refusal && candidates.length === 0) throw refusal
    return {
      candidates,
      withIndex: found.some(({ withIndex }) => withIndex),
      live: found.filter(({ live, total }) => live === total).length,
      total: this.#shards.length,
    }
  }

  async list(gallery: string, from: number, count: number): Promise<VectorPage> {
    const pages = await this.#all(shard => shard.call(store => store.list(gallery, from, count)))
    return mergedPage(pages, count)
  }

  async *keys(): AsyncIterable<VectorKey> {
    for (const shard of this.#shards) {
      const next = await shard.call(async store => {
        const keys = store.keys()[Symbol.asyncIterator]()
        return () => keys.next()
      })
      for (let key = await shard.call(next); !key.done; key = await shard.call(next)) yield key.value
    }
  }

  async galleries(): Promise<GalleryStatistics[]> {
    return mergedGalleries(await this.#all(shard => shard.call(store => store.galleries())))
  }

  async gallery(name: string): Promise<GalleryStatistics | undefined> {
    const parts = (await this.#all(shard => shard.call(store => store.gallery(name)))).flatMap(
      part => part ?? [],
    )
    return parts.length === 0 ? undefined : mergedGallery(parts)
  }

  async startIndex(gallery: string): Promise<IndexState> {
    return mergedIndex(await this.#all(shard => shard.call(store => store.startIndex(gallery))))
  }

  async indexState(gallery: string): Promise<IndexState> {
    return mergedIndex(await this.#all(shard => shard.call(store => store.indexState(gallery))))
  }

  states(): Promise<ShardState[]> {
    return this.#all(shard =>
      shard
        .call(store => store.states())
        .then(
          ([state]) => state!,
          () => ({ isAvailable: false }),
        ),
    )
  }

  async close(): Promise<void> {
    await this.#all(shard => shard.close())
  }

  #all<Answer>(ask: (shard: WatchedShard) => Promise<Answer>): Promise<Answer[]> {
    return Promise.all(this.#shards.map(ask))
  }

  #serving(id: number): WatchedShard {
    return this.#byCell.get(cellOf(id))!
  }

  #grouped<Key extends VectorKey>(keys: readonly Key[]): Map<WatchedShard, Key[]> {
    return Map.groupBy(keys, ({ id }) => this.#serving(id))
  }

  /** Adds each part to its shard. When one shard fails, removes the entries that other shards have added, unless they replace vectors. */
  async #addParts(parts: readonly [WatchedShard, VectorEntry[]][], how?: { replaces?: boolean }) {
    const outcomes = await Promise.allSettled(
      parts.map(([shard, own]) => shard.call(store => store.add(own, how), deadlinesFor(own))),
    )
    const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    if (failures.length === 0) return
    const taken = how?.replaces ? [] : parts.filter((_, i) => outcomes[i]!.status === 'fulfilled')
    await Promise.allSettled(taken.map(([shard, own]) => removeFrom(shard, own)))
    throw failures.find(failure => failure instanceof VectorRefused) ?? failures[0]
  }

  /**
   * Dimension of a gallery, taken from any of its vectors. Rejects with StoreUnavailable when it is unknown and a shard
   * is unavailable.
   */
  async #dimension(gallery: string): Promise<number | undefined> {
    const pages = await Promise.all(
      this.#shards.map(shard => shard.call(store => store.list(gallery, 0, 1)).catch(unlessUnexpected)),
    )
    const [vector] = pages.flatMap(page => (page instanceof Error ? [] : page.vectors))
    const failure = pages.find(page => page instanceof Error)
    if (!vector && failure) throw failure
    return vector?.vector.length
  }
}

const removeFrom = (shard: WatchedShard, keys: readonly VectorKey[]) =>
  shard.call(store => store.remove(keys), deadlinesFor(keys))

const deadlinesFor = (keys: readonly VectorKey[]) => Math.ceil(keys.length / PER_DEADLINE)

/** Returns the expected errors of a shard request as values; throws all others. */
function unlessUnexpected(error: unknown): StoreUnavailable | VectorRefused {
  if (error instanceof StoreUnavailable || error instanceof VectorRefused) return error
  throw error
}

/** The first `count` vectors of all pages. Each page contains the first `count` vectors of its shard. */
function mergedPage(pages: readonly VectorPage[], count: number): VectorPage {
  const vectors = pages.flatMap(page => page.vectors).sort((a, b) => a.id - b.id)
  const left = [...vectors.slice(count).map(({ id }) => id), ...pages.flatMap(({ next }) => next ?? [])]
  return {
    vectors: vectors.slice(0, count),
    next: left.length === 0 ? undefined : left.reduce((least, id) => Math.min(least, id)),
  }
}

/** Every gallery of the shards once, sorted by name. */
function mergedGalleries(shards: readonly (readonly GalleryStatistics[])[]): GalleryStatistics[] {
  const parts = Map.groupBy(shards.flat(), ({ gallery }) => gallery)
  return [...parts.values()].map(mergedGallery).sort((a, b) => (a.gallery < b.gallery ? -1 : 1))
}

/** The statistics of a gallery from the statistics of its shards; `parts` has at least one element. */
function mergedGallery(parts: readonly GalleryStatistics[]): GalleryStatistics {
  const sum = (count: (part: GalleryStatistics) => number) =>
    parts.reduce((all, part) => all + count(part), 0)
  const indexes = parts.filter(({ indexFile }) => indexFile !== undefined)
  return {
    gallery: parts[0]!.gallery,
    linear: sum(part => part.linear),
    preindex: sum(part => part.preindex),
    indexed: sum(part => part.indexed),
    preindexDeleted: sum(part => part.preindexDeleted),
    indexedDeleted: sum(part => part.indexedDeleted),
    indexFile: indexes.length === 0 ? undefined : indexes.map(({ indexFile }) => indexFile).join(', '),
    indexLoaded: indexes.length > 0 && indexes.every(({ indexLoaded }) => indexLoaded),
    // A new index in one shard changes the sum. The modulus keeps it below 2^48: sums may be added up again elsewhere.
    indexHandle: parts.reduce((all, { indexHandle }) => (all + indexHandle) % 2 ** 48, 0),
  }
}

/** By falling precedence: an index is not ready while one shard builds its part or has failed to. */
const STATES = ['building', 'failed', 'ready', 'none'] as const

/** The state of an index in several shards; its progress is their mean. */
function mergedIndex(parts: readonly IndexState[]): IndexState {
  const state = STATES.find(state => parts.some(part => part.state === state)) ?? 'none'
  const progress = parts.reduce((sum, part) => sum + part.progress, 0) / parts.length
  return { state, progress: state === 'building' ? progress : 1 }
}

/** Most galleries in the cache. The dimension of an evicted gallery is looked up again. */
const MAX_CACHED = 100_000

/** Cached state of a gallery. Entries are replaced, not mutated: another object means a change. */
interface CachedDimension {
  readonly dimension: number
  /** Additions in progress. While there are any, the dimension is fixed, even if no vector is stored yet. */
  readonly adding: number
}

/** Keeps all vectors of a gallery at one dimension. */
class Dimensions {
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

  #release(gallery: string) {
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
