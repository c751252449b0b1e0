/** A shard in another core, accessed through that core's store interface for operators. */
import { LIMITS } from '../../../contract/limits.ts'
import {
  type GalleryInfo,
  GalleryInfoSchema,
  GalleryInfosSchema,
  galleriesPath,
  galleryPath,
  IndexStateSchema,
  infoPath,
  LIVE_HEADER,
  ListedFacesSchema,
  NO_INDEX_FILE,
  ScoredFacesSchema,
  SEARCH_HEADER,
  StoredFaceSchema,
  WITH_INDEX,
  WITHOUT_INDEX,
} from '../../../contract/store-interface.ts'
import {
  type Found,
  type GalleryStatistics,
  type IndexState,
  type SearchBounds,
  type ShardState,
  type Shards,
  StoreUnavailable,
  type VectorEntry,
  type VectorKey,
  type VectorPage,
  type VectorStore,
} from '../vector-store.ts'
import { type CoreAnswer, coreStoreClient, parsed, type SendToCore, silent } from './core-store-client.ts'
import { HEALTH_GALLERY } from './health.ts'

/** Concurrent requests when each vector needs its own. */
const CONCURRENCY = 16

/** Vectors or galleries per page when all of them are read. */
const PAGE = 500

/** The store of the core at this origin; `token` is an operator token. Sends no request yet. */
export const openRemoteShard = (
  origin: string,
  { token }: { token?: string | undefined } = {},
): VectorStore => new RemoteShard(coreStoreClient(origin, token))

class RemoteShard implements VectorStore {
  readonly #ask: SendToCore

  constructor(ask: SendToCore) {
    this.#ask = ask
  }

  async add(entries: readonly VectorEntry[]): Promise<void> {
    const added: VectorKey[] = []
    try {
      await forEachConcurrently(entries, async ({ gallery, id, vector }) => {
        silent(required(await this.#ask('POST', galleryPath(gallery, 'add', id), vector)))
        added.push({ gallery, id })
      })
    } catch (error) {
      // Entries stay if the shard is unavailable now; see VectorStore.add.
      await this.remove(added).catch(() => {})
      throw error
    }
  }

  async remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    const removed: VectorKey[] = []
    await forEachConcurrently(keys, async key => {
      const answer = await this.#ask('DELETE', galleryPath(key.gallery, 'del', key.id))
      if (!answer) return
      silent(answer)
      removed.push(key)
    })
    return removed
  }

  async reach(): Promise<void> {
    await this.gallery(HEALTH_GALLERY)
  }

  async get({ gallery, id }: VectorKey): Promise<Float32Array | undefined> {
    const answer = await this.#ask('GET', galleryPath(gallery, 'get', id))
    if (!answer) return undefined
    const face = parsed(StoredFaceSchema, answer)
    if (face.id !== id) throw new StoreUnavailable('away')
    return vectorOf(face.facen)
  }

  async search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found> {
    const { limit, minScore, linearOnly = false, withVectors = false } = bounds
    const path = galleryPath(gallery, 'search', Math.min(limit, LIMITS.shardMatches), 0)
    const flags = `scores=1${withVectors ? '&vectors=1' : ''}${linearOnly ? '&linear_search=1' : ''}`
    const answer = await this.#ask('POST', `${path}?${flags}`, probe)
    if (!answer) return { candidates: [], withIndex: false, live: 1, total: 1 }
    const candidates = parsed(ScoredFacesSchema, answer).map(({ id, score, facen }) => ({
      id,
      score,
      ...(facen !== undefined && { vector: vectorOf(facen) }),
    }))
    return {
      candidates: candidates.filter(({ score }) => score >= minScore),
      withIndex: withIndex(answer),
      ...shardsOf(answer),
    }
  }

  async list(gallery: string, from: number, count: number): Promise<VectorPage> {
    const answer = await this.#ask(
      'GET',
      galleryPath(gallery, 'list', from, Math.min(count, LIMITS.storeListCount)),
    )
    if (!answer) return { vectors: [], next: undefined }
    const { faces, next } = parsed(ListedFacesSchema, answer)
    return {
      vectors: faces.map(({ id, space, facen }) => ({ id, space, vector: vectorOf(facen) })),
      next: next ?? undefined,
    }
  }

  async *keys(): AsyncIterable<VectorKey> {
    for (const { gallery } of await this.galleries()) {
      for (let from: number | undefined = 0; from !== undefined; ) {
        const page: VectorPage = await this.list(gallery, from, PAGE)
        for (const { id } of page.vectors) yield { gallery, id }
        from = page.next
      }
    }
  }

  async galleries(): Promise<GalleryStatistics[]> {
    const infos: GalleryInfo[] = []
    for (;;) {
      const answer = required(await this.#ask('GET', `${galleriesPath(infos.length + 1, PAGE)}?info=1`))
      const { galleries, total } = parsed(GalleryInfosSchema, answer)
      infos.push(...galleries)
      if (galleries.length === 0 || infos.length >= total) break
    }
    // A gallery that appears or disappears between two pages shifts the others: one of them may occur twice.
    return [...new Map(infos.map(info => [info.name, statisticsOf(info)])).values()]
  }

  async gallery(name: string): Promise<GalleryStatistics | undefined> {
    const answer = await this.#ask('GET', infoPath(name))
    if (!answer) return undefined
    const info = parsed(GalleryInfoSchema, answer)
    if (info.name !== name) throw new StoreUnavailable('away')
    return statisticsOf(info)
  }

  async startIndex(gallery: string): Promise<IndexState> {
    return this.#index('POST', gallery)
  }

  async indexState(gallery: string): Promise<IndexState> {
    return this.#index('GET', gallery)
  }

  /** The shard is outside of this process. Its availability is known to WatchedShard. */
  async states(): Promise<ShardState[]> {
    return [{ isAvailable: true }]
  }

  /** Does nothing: a remote shard holds no resources. */
  async close(): Promise<void> {}

  async #index(method: 'GET' | 'POST', gallery: string): Promise<IndexState> {
    const answer = await this.#ask(method, galleryPath(gallery, 'index'))
    return answer ? parsed(IndexStateSchema, answer) : { state: 'none', progress: 1 }
  }
}

/**
 * Runs a task for each item with limited concurrency. After a failure, starts no further task, waits for the running
 * ones, and rejects with the first failure.
 */
async function forEachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const failures: unknown[] = []
  const one = async () => {
    for (const item of waiting) {
      if (failures.length > 0) return
      await work(item).catch(error => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, one))
  if (failures.length > 0) throw failures[0]
}

/** Returns a response that is required. Throws StoreUnavailable for a 404, which no core sends here. */
function required(answer: CoreAnswer | undefined): CoreAnswer {
  if (!answer) throw new StoreUnavailable('away')
  return answer
}

function vectorOf(facen: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(facen, 'base64'))
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw new StoreUnavailable('away')
  return new Float32Array(bytes.buffer)
}

function withIndex({ headers }: CoreAnswer): boolean {
  const header = headers.get(SEARCH_HEADER)
  if (header !== WITH_INDEX && header !== WITHOUT_INDEX) throw new StoreUnavailable('away')
  return header === WITH_INDEX
}

function shardsOf({ headers }: CoreAnswer): Shards {
  const [, live, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(headers.get(LIVE_HEADER) ?? '') ?? []
  if (live === undefined || Number(live) > Number(total)) throw new StoreUnavailable('away')
  return { live: Number(live), total: Number(total) }
}

const statisticsOf = (info: GalleryInfo): GalleryStatistics => ({
  gallery: info.name,
  linear: info.cnt_linear,
  preindex: info.cnt_preindex,
  indexed: info.cnt_indexed,
  preindexDeleted: info.cnt_preindex_deleted,
  indexedDeleted: info.cnt_indexed_deleted,
  indexFile: info.index_file === NO_INDEX_FILE ? undefined : info.index_file,
  indexLoaded: info.index_loaded,
  indexHandle: info.cptr,
})
