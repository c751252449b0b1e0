/** A shard in PostgreSQL with pgvector. */

import type { ShardSettings } from '../shard/shard-settings.ts'
import { unitVector } from '../unit-vector.ts'
import {
  type Found,
  type GalleryStatistics,
  type IndexState,
  LayoutRefused,
  type ListedVector,
  type SearchBounds,
  type ShardState,
  StoreUnavailable,
  type VectorEntry,
  type VectorKey,
  type VectorPage,
  type VectorStore,
} from '../vector-store.ts'
import { hostNames, type PostgresAddress } from './address.ts'
import { type Connections, openConnections } from './connections.ts'
import { galleryNamed, indexStateOf, rowsOf, statisticsOf } from './galleries.ts'
import { PostgresIndexes } from './indexes.ts'
import { migrate, requireFit } from './schema.ts'
import { searchGallery } from './search.ts'
import { PostgresWriter } from './writer.ts'

/**
 * Vectors of a gallery above which an index is built, by default. A search without an index then takes some
 * milliseconds.
 */
const INDEX_ABOVE = 20_000

/** Keys per page when all keys are read. */
const KEYS_PER_PAGE = 10_000

/**
 * Opens a shard. Resolves also when the database is unreachable: every request tries to connect again. Throws
 * LayoutRefused when the database does not meet the requirements.
 */
export async function openPostgresShard(
  address: PostgresAddress,
  { indexAbove = INDEX_ABOVE }: Pick<ShardSettings, 'indexAbove'> = {},
): Promise<VectorStore> {
  const shard = new PostgresShard(address, indexAbove)
  await shard.open()
  return shard
}

class PostgresShard implements VectorStore {
  readonly #address: PostgresAddress
  readonly #indexes: PostgresIndexes
  readonly #writer: PostgresWriter
  #opened: Promise<Connections> | undefined
  #closed = false

  constructor(address: PostgresAddress, indexAbove: number) {
    this.#address = address
    this.#indexes = new PostgresIndexes({ type: address.type, indexAbove })
    this.#writer = new PostgresWriter(() => this.#connections(), {
      onAdded: (connections, galleries) => this.#indexes.consider(connections, galleries),
      onLeft: (connections, places) => this.#indexes.leave(connections, places),
    })
  }

  async open(): Promise<void> {
    try {
      await this.#indexes.sweep(await this.#connections())
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (error.cause instanceof LayoutRefused) throw error.cause
    }
  }

  add(entries: readonly VectorEntry[], how?: { replaces?: boolean }): Promise<void> {
    return this.#writer.add(entries, how)
  }

  remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    return this.#writer.remove(keys)
  }

  /** A read-only server, for example a standby, is unavailable: an addition most often follows this check. */
  async reach(): Promise<void> {
    const { read } = await this.#connections()
    const [server] = await read(sql => sql<{ follows: boolean }>('select pg_is_in_recovery() as follows'))
    if (server!.follows) throw new StoreUnavailable('away')
  }

  async get({ gallery: name, id }: VectorKey): Promise<Float32Array | undefined> {
    const { read } = await this.#connections()
    return read(async sql => {
      const gallery = await galleryNamed(sql, name)
      if (!gallery) return undefined
      const [row] = await sql<ListedVector>(
        `select vector_send(vector) as vector from ${rowsOf(gallery)} and id = $1`,
        [id],
      )
      return row?.vector
    })
  }

  async search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found> {
    const unit = unitVector(probe)
    const { read } = await this.#connections()
    return read(sql => searchGallery(sql, gallery, unit, bounds, this.#address.candidates))
  }

  async list(name: string, from: number, count: number): Promise<VectorPage> {
    const { read } = await this.#connections()
    return read(async sql => {
      const gallery = await galleryNamed(sql, name)
      if (!gallery) return { vectors: [], next: undefined }
      const rows = await sql<{ id: number; vector: Float32Array }>(
        `select id, vector_send(vector) as vector from ${rowsOf(gallery)} and id >= $1 order by id limit $2`,
        [from, count + 1],
      )
      const space = gallery.indexName === null ? 'linear' : 'indexed'
      const next = rows.length > count ? rows.pop()!.id : undefined
      return { vectors: rows.map(({ id, vector }) => ({ id, space, vector })), next }
    })
  }

  /** By gallery and id, independent of the partition: a vector that moves during the iteration occurs once. */
  async *keys(): AsyncIterable<VectorKey> {
    const { read } = await this.#connections()
    for (let last = { number: 0, id: -1 }; ; ) {
      const rows = await read(sql =>
        sql<{ gallery: string; number: number; id: number }>(
          `select name as gallery, gallery as number, id from (
            select gallery, id from vectors where (gallery, id) > ($1, $2) order by gallery, id limit ${KEYS_PER_PAGE}
          ) page join galleries on number = gallery order by 2, 3`,
          [last.number, last.id],
        ),
      )
      for (const { gallery, id } of rows) yield { gallery, id }
      const end = rows.at(-1)
      if (!end) return
      last = end
    }
  }

  async galleries(): Promise<GalleryStatistics[]> {
    const { read } = await this.#connections()
    return read(sql => statisticsOf(sql))
  }

  async gallery(name: string): Promise<GalleryStatistics | undefined> {
    const { read } = await this.#connections()
    return (await read(sql => statisticsOf(sql, name)))[0]
  }

  async startIndex(gallery: string): Promise<IndexState> {
    const state = await this.#indexes.start(await this.#connections(), gallery)
    return state ?? { state: 'none', progress: 1 }
  }

  async indexState(gallery: string): Promise<IndexState> {
    const { read } = await this.#connections()
    const begun = this.#indexes.isMaking(gallery)
    const state = await read(sql => indexStateOf(sql, gallery))
    if (state && begun && this.#indexes.isMaking(gallery) && state.state !== 'building') {
      return { state: 'building', progress: 0 }
    }
    return state ?? { state: 'none', progress: 1 }
  }

  /** The shard is outside of this process. Its availability is known to WatchedShard. */
  async states(): Promise<ShardState[]> {
    return [{ isAvailable: true }]
  }

  async close(): Promise<void> {
    await this.#writer.close()
    this.#closed = true
    await this.#indexes.close()
    await this.#opened?.then(
      connections => connections.close(),
      () => {},
    )
  }

  /**
   * Rejects with StoreUnavailable; its cause is LayoutRefused when the database is reachable but does not meet the
   * requirements.
   */
  #connections(): Promise<Connections> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('away'))
    this.#opened ??= prepared(this.#address).catch(error => {
      this.#opened = undefined
      throw error instanceof StoreUnavailable ? error : new StoreUnavailable('away', { cause: error })
    })
    return this.#opened
  }
}

/** Connections to a database that meets the requirements and has the current schema. */
async function prepared(address: PostgresAddress): Promise<Connections> {
  const first = openConnections(address, ['public'])
  const home = await requireFit(first, address)
    .catch(error => {
      throw loginRefusal(error, address) ?? error
    })
    .finally(() => first.close())
  const connections = openConnections(address, [address.schema, home])
  try {
    await migrate(connections, address.schema)
    return connections
  } catch (error) {
    await connections.close()
    throw error
  }
}

/** Refusals of a connection that only an operator can resolve; undefined for other errors. */
function loginRefusal({ cause }: Error, address: PostgresAddress): LayoutRefused | undefined {
  const { database, user } = address
  const host = hostNames(address)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === '3D000') return new LayoutRefused(`There is no database ${database} at ${host}.`, { cause })
  if (!code.startsWith('28')) return undefined
  return new LayoutRefused(
    `The database ${database} at ${host} does not let ${user} in. Its password is in the address, in PGPASSWORD or in ~/.pgpass.`,
    { cause },
  )
}
