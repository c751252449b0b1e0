/** One shard: rows in a file and their codes in memory, kept consistent. It is for one thread, and blocks this thread. */
import { mkdirSync } from 'node:fs'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { exactBest } from '../codes/exact-best.ts'
import { vectorOf } from '../rows/row-record.ts'
import { unitVector } from '../unit-vector.ts'
import {
  type Found,
  type GalleryStatistics,
  type IndexState,
  type ListedVector,
  type SearchBounds,
  type ShardContents,
  type ShardState,
  type VectorEntry,
  type VectorKey,
  type VectorPage,
  VectorRefused,
  type VectorStore,
} from '../vector-store.ts'
import type { IndexStep } from './index-lifecycle.ts'
import type { ShardGallery } from './shard-gallery.ts'
import { type OpenedShard, openFolder } from './shard-open.ts'
import type { Damage, ShardSettings } from './shard-settings.ts'
import { ShardWriter } from './shard-writer.ts'

interface EngineSettings extends ShardSettings {
  /** Called after each step of an index build. */
  onStep?: (step: IndexStep) => void
}

/**
 * Opens the shard in this folder, or creates it. Nothing else may have it open. Throws RowsDamaged when nothing can be
 * read; reports other damage and serves the intact rows.
 */
export async function openShard(folder: string, settings: EngineSettings = {}): Promise<Shard> {
  const { indexAbove = STORE_LIMITS.indexAbove, onDamage = () => {}, onStep, dataKey } = settings
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const opened = await openFolder(folder, { indexAbove, onDamage, onStep, dataKey })
  return new Shard(opened, { indexAbove, onDamage })
}

export class Shard implements VectorStore {
  readonly #opened: OpenedShard
  readonly #writer: ShardWriter
  readonly #indexAbove: number
  readonly #onDamage: Damage

  constructor(opened: OpenedShard, settings: { indexAbove: number; onDamage: Damage }) {
    this.#opened = opened
    this.#indexAbove = settings.indexAbove
    this.#onDamage = settings.onDamage
    this.#writer = new ShardWriter(opened, settings.onDamage)
  }

  add(entries: readonly VectorEntry[], how?: { replaces?: boolean }): Promise<void> {
    return this.#writer.add(entries, how)
  }

  remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    return this.#writer.remove(keys)
  }

  async reach(): Promise<void> {}

  async get({ gallery: name, id }: VectorKey): Promise<Float32Array | undefined> {
    const gallery = this.#gallery(name)
    return gallery?.codes.has(id) ? this.#vectors(gallery, [id])[0] : undefined
  }

  async search(name: string, probe: Float32Array, bounds: SearchBounds): Promise<Found> {
    const unit = unitVector(probe)
    const gallery = this.#gallery(name)
    if (!gallery) return { candidates: [], withIndex: false, live: 1, total: 1 }
    if (unit.length !== gallery.record.dimension) throw new VectorRefused('dimension')
    const { linearOnly = false, withVectors = false } = bounds
    let withIndex = false
    const scan = (wanted: number, minScore: number) => {
      const scanned = gallery.codes.scan(unit, { wanted, minScore, linearOnly })
      withIndex ||= scanned.withIndex
      return scanned
    }
    const compared = new Map<number, Float32Array | undefined>()
    const read = (ids: readonly number[]) => {
      const vectors = this.#vectors(gallery, ids)
      if (withVectors) for (const [i, id] of ids.entries()) compared.set(id, vectors[i])
      return vectors
    }
    const best = exactBest(unit, bounds, scan, read)
    const candidates = withVectors ? best.map(each => ({ ...each, vector: compared.get(each.id)! })) : best
    return { candidates, withIndex, live: 1, total: 1 }
  }

  async list(name: string, from: number, count: number): Promise<VectorPage> {
    const gallery = this.#gallery(name)
    const vectors: ListedVector[] = []
    for (let at = from; gallery && vectors.length <= count; ) {
      const rows = this.#opened.rows.page(gallery.record, at, count + 1 - vectors.length)
      for (const row of rows) {
        const space = gallery.codes.space(row.id)
        if (!space) continue
        const vector = vectorOf(gallery.record, row)
        if (vector) vectors.push({ id: row.id, space, vector: vector.slice() })
        else this.#setAside(gallery, [row.id])
      }
      if (rows.length === 0) break
      at = rows.at(-1)!.id + 1
    }
    return { vectors, next: vectors.length > count ? vectors.pop()?.id : undefined }
  }

  async *keys(): AsyncIterable<VectorKey> {
    for (const gallery of [...this.#opened.galleries.keys()]) {
      for (const id of await this.ids(gallery)) yield { gallery, id }
    }
  }

  /** All ids of a gallery, in no particular order. */
  async ids(name: string): Promise<Float64Array> {
    return this.#gallery(name)?.codes.ids() ?? new Float64Array(0)
  }

  async galleries(): Promise<GalleryStatistics[]> {
    return [...this.#opened.galleries]
      .filter(([, { codes }]) => codes.size > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, gallery]) => gallery.statistics())
  }

  async gallery(name: string): Promise<GalleryStatistics | undefined> {
    return this.#gallery(name)?.statistics()
  }

  async startIndex(name: string): Promise<IndexState> {
    const gallery = this.#gallery(name)
    if (gallery) this.#opened.indexes.start(gallery)
    return this.indexState(name)
  }

  async indexState(name: string): Promise<IndexState> {
    return this.#gallery(name)?.indexing ?? { state: 'none', progress: 1 }
  }

  async states(): Promise<ShardState[]> {
    const { commits, committed } = this.#writer
    const sums = { galleries: 0, linear: 0, preindex: 0, indexed: 0, unindexed: 0, building: 0 }
    for (const { codes, loaded, indexing } of this.#opened.galleries.values()) {
      const { linear, preindex, indexed } = codes.counts()
      sums.galleries++
      sums.linear += linear
      sums.preindex += preindex
      sums.indexed += indexed
      if (loaded || codes.size > this.#indexAbove) sums.unindexed += linear + preindex
      if (indexing.state === 'building') sums.building++
    }
    const contents: ShardContents = { ...sums, commits, committed }
    return [{ isAvailable: true, contents }]
  }

  async close(): Promise<void> {
    this.#writer.close()
    await this.#opened.indexes.close()
    this.#opened.rows.close()
  }

  /** Undefined also when all vectors of the gallery are set aside. */
  #gallery(name: string): ShardGallery | undefined {
    const gallery = this.#opened.galleries.get(name)
    return gallery && gallery.codes.size > 0 ? gallery : undefined
  }

  /** Rows in memory are in the file: an unreadable row was damaged later, and is set aside. */
  #vectors(gallery: ShardGallery, ids: readonly number[]): (Float32Array | undefined)[] {
    const vectors = this.#opened.rows.vectors(gallery.record, ids)
    this.#setAside(
      gallery,
      ids.filter((_, i) => !vectors[i]),
    )
    return vectors
  }

  #setAside(gallery: ShardGallery, ids: readonly number[]) {
    if (ids.length === 0) return
    for (const id of ids) gallery.setAside(id)
    const where = `gallery ${gallery.record.name}`
    const what = `${ids.length} vectors of the ${where} turn out to be damaged, and are no longer served.`
    this.#onDamage(what, ids.length)
  }
}
