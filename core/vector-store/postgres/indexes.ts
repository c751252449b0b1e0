/** HNSW indexes of large galleries: when they are built, how, and how partitions that have none are left. */
import { environment } from '../../../contract/environment.ts'
import type { IndexState } from '../vector-store.ts'
import type { IndexType } from './address.ts'
import type { Sql } from './client.ts'
import type { Connections } from './connections.ts'
import { type GalleryRecord, galleryNamed, leftPartitions, partition, storedGalleries } from './galleries.ts'
import { LOCKS } from './schema.ts'
import { indexedExpression } from './search.ts'

/** Time in milliseconds without an automatic build after a failure, or while another core builds. */
const REBUILD_PAUSE_MS = 60_000

interface IndexesSettings {
  type: IndexType
  indexAbove: number
}

export class PostgresIndexes {
  readonly #settings: IndexesSettings
  /** Names of galleries whose index is queued or being built. */
  readonly #making = new Set<string>()
  #queue: Promise<void> = Promise.resolve()
  readonly #failedAt = new Map<string, number>()
  readonly #closing = new AbortController()

  constructor(settings: IndexesSettings) {
    this.#settings = settings
  }

  /** Queues the builds that are due. */
  consider(connections: Connections, galleries: readonly GalleryRecord[]): void {
    for (const gallery of galleries) {
      const due = gallery.indexName === null && gallery.vectors > this.#settings.indexAbove
      const failedAt = this.#failedAt.get(gallery.name)
      if (due && (failedAt === undefined || environment.now() - failedAt > REBUILD_PAUSE_MS))
        this.#make(connections, gallery)
    }
  }

  /** Queues a new build of the gallery's index; undefined when the gallery is unknown. */
  async start(connections: Connections, name: string): Promise<IndexState | undefined> {
    const gallery = await connections.read(sql => galleryNamed(sql, name))
    if (!gallery) return undefined
    if (!this.#make(connections, gallery)) return { state: 'failed', progress: 1 }
    return { state: 'building', progress: 0 }
  }

  isMaking(name: string): boolean {
    return this.#making.has(name)
  }

  /** Drops the partitions of removed galleries. */
  async sweep(connections: Connections): Promise<void> {
    const places = await connections.read(leftPartitions)
    this.leave(connections, places)
  }

  /** Drops these partitions, which no gallery uses. */
  leave(connections: Connections, places: readonly number[]): void {
    for (const place of places) {
      void connections
        .alone(this.#closing.signal, async sql => {
          await sql(`alter table vectors detach partition ${partition(place)} concurrently`)
          await sql(`drop table ${partition(place)}`)
        })
        .catch(() => {})
    }
  }

  /** Aborts builds in progress. They start again when they are due. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#queue
  }

  /** Queues a build. Builds run in sequence. Returns false when the database cannot index these vectors. */
  #make(connections: Connections, gallery: GalleryRecord) {
    const type = typeFor(gallery.dimension, this.#settings.type)
    const { name } = gallery
    if (type === undefined || this.#making.has(name)) return type !== undefined
    this.#making.add(name)
    this.#queue = this.#queue.then(async () => {
      const made =
        !this.#closing.signal.aborted &&
        (await makeIndex(connections, gallery, type, this.#closing.signal).catch(() => false))
      if (made) this.#failedAt.delete(name)
      else this.#failedAt.set(name, environment.now())
      this.#making.delete(name)
    })
    return true
  }
}

/** Vectors that one transaction moves. Writers wait for its duration. */
const MOVED_AT_ONCE = 1_000

/** HNSW parameters, above pgvector's defaults (16 and 64) because similar faces are hard to separate. */
const GRAPH = 'm = 24, ef_construction = 128'

/** Greatest dimension that pgvector's HNSW accepts, by type. */
const MOST_DIMENSIONS: Record<IndexType, number> = { vector: 2_000, halfvec: 4_000 }

/**
 * Type for an index of these vectors: the wanted one, or halfvec if the dimension requires it; undefined if there is
 * none.
 */
function typeFor(dimension: number, wanted: IndexType): IndexType | undefined {
  return ([wanted, 'halfvec'] as const).find(type => dimension <= MOST_DIMENSIONS[type])
}

/**
 * Builds an index. Resolves with true when searches use it, and with false when another core builds one. Rejects when
 * the build fails, and when the signal aborts.
 */
async function makeIndex(
  connections: Connections,
  gallery: GalleryRecord,
  type: IndexType,
  signal: AbortSignal,
) {
  const { number, name, dimension } = gallery
  return connections.alone(signal, async sql => {
    // The server releases the lock with this connection: a held lock means that a build is in progress.
    const [lock] = await sql<{ ours: boolean }>(`select pg_try_advisory_lock(${LOCKS}, ${number}) as ours`)
    if (!lock!.ours) return false
    const table = partition(number)
    try {
      if (gallery.place === 0) await ownPartition(sql, connections, gallery)
      await moveAll(connections, gallery, signal)
      const before = await indexesOf(sql, table)
      const index = `${table}_${1 + Math.max(0, ...before.map(each => Number(each.split('_').at(-1))))}`
      const inForce = (await indexInUse(connections, name)) ?? null
      for (const left of before) if (left !== inForce) await sql(`drop index concurrently "${left}"`)
      await sql(
        `create index concurrently ${index} on ${table} using hnsw (${indexedExpression(dimension, type)} ${type}_ip_ops) with (${GRAPH})`,
      )
      await connections.write(put =>
        put('update galleries set index_name = $2, index_type = $3, failed = null where number = $1', [
          number,
          index,
          type,
        ]),
      )
      if (inForce !== null) await sql(`drop index concurrently if exists ${inForce}`)
      return true
    } catch (error) {
      if (signal.aborted) throw error
      await connections
        .write(put => put('update galleries set failed = now() where number = $1', [number]))
        .catch(() => {})
      throw error
    } finally {
      // A proxy may keep the connection open.
      await sql('select pg_advisory_unlock_all()').catch(() => {})
    }
  })
}

/** Creates the gallery's own partition. New vectors go there from then on. */
async function ownPartition(sql: Sql, { write }: Connections, { number }: GalleryRecord) {
  const table = partition(number)
  await sql(
    `create table if not exists ${table} (like vectors including all) with (toast_tuple_target = 8160)`,
  )
  const [attached] = await sql(`select 1 from pg_inherits where inhrelid = '${table}'::regclass`)
  if (!attached) await sql(`alter table vectors attach partition ${table} for values in (${number})`)
  await write(async put => {
    await put('select 1 from galleries where number = $1 for update', [number])
    await put('update galleries set place = number, spread = true where number = $1', [number])
  })
}

/**
 * Moves all vectors to the gallery's own partition. Writers wait for each transaction; readers always see each vector
 * once.
 */
async function moveAll({ write }: Connections, { number }: GalleryRecord, signal: AbortSignal) {
  for (let all = false; !all; ) {
    signal.throwIfAborted()
    all = await write(async put => {
      await put('select 1 from galleries where number = $1 for update', [number])
      const moved = await put(
        `update vectors set place = $1 where gallery = $1 and place = 0
          and id in (select id from small where gallery = $1 order by id limit ${MOVED_AT_ONCE}) returning id`,
        [number],
      )
      if (moved.length === MOVED_AT_ONCE) return false
      await put('update galleries set spread = false where number = $1', [number])
      return true
    })
  }
}

/** Names of complete indexes, and of incomplete indexes of interrupted builds. */
async function indexesOf(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    `select c.relname as name from pg_index join pg_class c on c.oid = indexrelid join pg_am am on am.oid = c.relam
      where indrelid = '${table}'::regclass and am.amname = 'hnsw'`,
  )
  return rows.map(({ name }) => name)
}

/** Name of the index that searches use now. */
const indexInUse = ({ write }: Connections, name: string) =>
  write(async sql => (await storedGalleries(sql, [name]))[0]?.indexName)
