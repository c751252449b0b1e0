/** A store over several: each keeps the vectors whose ids fall into its cells. */
import { BestCandidates } from '../best.ts'
import {
  type Found,
  type GalleryStatistics,
  type IndexState,
  type SearchBounds,
  StoreUnavailable,
  type VectorEntry,
  type VectorKey,
  type VectorPage,
  VectorRefused,
  type VectorStore,
} from '../vector-store.ts'
import { cellOf } from './cells.ts'
import { Dimensions } from './dimensions.ts'
import type { WatchedShard } from './health.ts'
import { mergedGalleries, mergedGallery, mergedIndex, mergedPage } from './merge.ts'
import {
  areDistinctGalleries,
  isOwnKey,
  isValidPage,
  isValidRemoval,
  isValidSearchResult,
} from './result-validation.ts'

/** Vectors that a shard takes or forgets within one deadline, when each is a request to another core. */
const PER_DEADLINE = 500

/** One store of these shards, which serve every cell. They are closed with it. */
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

  async add(entries: readonly VectorEntry[]): Promise<void> {
    const parts = this.#grouped(entries)
    for (const shard of parts.keys()) shard.assertAvailable()
    await this.#dimensions.holding(entries, () => this.#addParts([...parts]))
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
    return this.#serving(key.id).ask(store => store.get(key))
  }

  async search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found> {
    const answers = await Promise.all(
      this.#shards.map(shard =>
        shard
          .ask(store => store.search(gallery, probe, bounds), {
            isValid: isValidSearchResult(shard.cells, bounds, probe.length),
          })
          .catch(unlessUnexpected),
      ),
    )
    const found = answers.flatMap(answer => (answer instanceof Error ? [] : answer))
    const all = new Map(found.flatMap(({ candidates }) => candidates.map(each => [each.id, each] as const)))
    const best = new BestCandidates(bounds)
    for (const { id, score } of all.values()) best.offer(id, score)
    const candidates = best.ranked().map(({ id }) => all.get(id)!)
    const refusal = answers.find(answer => answer instanceof VectorRefused)
    // Where others found something, the probe is one of the gallery's: then the shard that refuses it is wrong.
    if (refusal && candidates.length === 0) throw refusal
    return {
      candidates,
      withIndex: found.some(({ withIndex }) => withIndex),
      live: found.filter(({ live, total }) => live === total).length,
      total: this.#shards.length,
    }
  }

  async list(gallery: string, from: number, count: number): Promise<VectorPage> {
    const pages = await this.#all(shard =>
      shard.ask(store => store.list(gallery, from, count), {
        isValid: isValidPage(shard.cells, from, count),
      }),
    )
    return mergedPage(pages, count)
  }

  async *keys(): AsyncIterable<VectorKey> {
    for (const shard of this.#shards) {
      const next = await shard.ask(async store => {
        const keys = store.keys()[Symbol.asyncIterator]()
        return () => keys.next()
      })
      const isValid = ({ done, value }: IteratorResult<VectorKey>) => done || isOwnKey(shard.cells)(value)
      for (
        let key = await shard.ask(next, { isValid });
        !key.done;
        key = await shard.ask(next, { isValid })
      ) {
        yield key.value
      }
    }
  }

  async galleries(): Promise<GalleryStatistics[]> {
    return mergedGalleries(
      await this.#all(shard => shard.ask(store => store.galleries(), { isValid: areDistinctGalleries })),
    )
  }

  async gallery(name: string): Promise<GalleryStatistics | undefined> {
    const parts = (await this.#all(shard => shard.ask(store => store.gallery(name)))).flatMap(
      part => part ?? [],
    )
    return parts.length === 0 ? undefined : mergedGallery(parts)
  }

  async startIndex(gallery: string): Promise<IndexState> {
    return mergedIndex(await this.#all(shard => shard.ask(store => store.startIndex(gallery))))
  }

  async indexState(gallery: string): Promise<IndexState> {
    return mergedIndex(await this.#all(shard => shard.ask(store => store.indexState(gallery))))
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

  /** Adds each part to its shard; when one fails, what the others have taken is removed again. */
  async #addParts(parts: readonly [WatchedShard, VectorEntry[]][]): Promise<void> {
    const outcomes = await Promise.allSettled(
      parts.map(([shard, own]) => shard.ask(store => store.add(own), { deadlines: deadlinesFor(own) })),
    )
    const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    if (failures.length === 0) return
    const taken = parts.filter((_, i) => outcomes[i]!.status === 'fulfilled')
    await Promise.allSettled(taken.map(([shard, own]) => removeFrom(shard, own)))
    throw failures.find(failure => failure instanceof VectorRefused) ?? failures[0]
  }

  /** The dimension of a gallery's vectors, of which one is enough. Rejects with StoreUnavailable when it can't be known. */
  async #dimension(gallery: string): Promise<number | undefined> {
    const looks = await Promise.all(
      this.#shards.map(shard =>
        shard
          .ask(store => store.list(gallery, 0, 1), { isValid: isValidPage(shard.cells, 0, 1) })
          .catch(unlessUnexpected),
      ),
    )
    const [vector] = looks.flatMap(look => (look instanceof Error ? [] : look.vectors))
    const away = looks.find(look => look instanceof Error)
    if (!vector && away) throw away
    return vector?.vector.length
  }
}

const removeFrom = (shard: WatchedShard, keys: readonly VectorKey[]): Promise<VectorKey[]> =>
  shard.ask(store => store.remove(keys), { isValid: isValidRemoval(keys), deadlines: deadlinesFor(keys) })

const deadlinesFor = (keys: readonly VectorKey[]): number => Math.ceil(keys.length / PER_DEADLINE)

/** What a shard may answer instead of an answer. */
function unlessUnexpected(error: unknown): StoreUnavailable | VectorRefused {
  if (error instanceof StoreUnavailable || error instanceof VectorRefused) return error
  throw error
}
