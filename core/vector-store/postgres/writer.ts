/** Adds and removes vectors in transactions that many requests share. */
import { environment } from '../../../contract/environment.ts'
import {
  Batch,
  type StoredGallery,
  type TakenAddition,
  type TakenRemoval,
  type Work,
} from '../shard/shard-batch.ts'
import type { VectorEntry, VectorKey } from '../vector-store.ts'
import { ConcurrentChange, type Sql, type Value, vectorBytes } from './client.ts'
import type { Connections } from './connections.ts'
import {
  countVectors,
  type GalleryRecord,
  partition,
  partitionsOf,
  registeredGalleries,
  removeEmpty,
  storedGalleries,
} from './galleries.ts'

/** Vectors per transaction, unless a single call has more. */
const VECTORS_PER_TRANSACTION = 1_000

interface WriterSettings {
  /** Called with galleries that have new vectors. */
  onAdded(connections: Connections, galleries: readonly GalleryRecord[]): void
  /** Called with partitions that no gallery uses. */
  onLeft(connections: Connections, places: readonly number[]): void
}

export class PostgresWriter {
  readonly #connections: () => Promise<Connections>
  readonly #settings: WriterSettings
  readonly #waiting: Work[] = []
  #writing: Promise<void> | undefined

  constructor(connections: () => Promise<Connections>, settings: WriterSettings) {
    this.#connections = connections
    this.#settings = settings
  }

  add(entries: readonly VectorEntry[], { replaces = false } = {}): Promise<void> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'add', entries, replaces, resolve, reject }))
  }

  remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'remove', keys, resolve, reject }))
  }

  /** Resolves when all queued operations have a response. */
  async close(): Promise<void> {
    await this.#writing
  }

  /** Operations of one turn of the event loop, and operations that arrive during the previous transaction, are written together. */
  #queue(work: Work) {
    this.#waiting.push(work)
    this.#writing ??= this.#writeAll()
  }

  async #writeAll() {
    await environment.turn()
    while (this.#waiting.length > 0) {
      const operations = this.#nextBatch()
      try {
        await this.#write(operations)
      } catch (error) {
        for (const work of operations) work.reject(error as Error)
      }
    }
    // Synchronous after the last check: an operation that is queued between them would never be written.
    this.#writing = undefined
  }

  #nextBatch(): Work[] {
    const operations: Work[] = []
    for (let keys = 0; this.#waiting[0]; ) {
      keys += keysOf(this.#waiting[0]).length
      if (operations.length > 0 && keys > VECTORS_PER_TRANSACTION) break
      operations.push(this.#waiting.shift()!)
    }
    return operations
  }

  async #write(operations: readonly Work[]) {
    const connections = await this.#connections()
    // Operations that an attempt refuses have a response, and are not part of a retry.
    let open = operations
    const { additions, removals, left, galleries } = await connections.write(sql =>
      writeWorks(sql, open, remaining => {
        open = remaining
      }),
    )
    for (const { work } of additions) work.resolve()
    for (const { work, known } of removals) work.resolve(known)
    this.#waiting.unshift(...left)
    const added = new Set(additions.flatMap(({ work }) => work.entries.map(({ gallery }) => gallery)))
    this.#settings.onAdded(
      connections,
      galleries.filter(({ name }) => added.has(name)),
    )
    const empty = galleries.filter(({ vectors }) => vectors === 0).map(({ number }) => number)
    if (empty.length === 0) return
    // Readers ignore a gallery without vectors. If its removal fails, the next writer of its name removes it.
    const places = await connections.write(sql => removeEmpty(sql, empty)).catch(() => [])
    this.#settings.onLeft(connections, places)
  }
}

/** Vectors per statement, which has a deadline: with an index, each vector takes some milliseconds. */
const PER_STATEMENT = 200
const PER_STATEMENT_INDEXED = 20

interface Written {
  additions: readonly TakenAddition[]
  removals: readonly TakenRemoval[]
  /** Operations to retry after these. */
  left: readonly Work[]
  /** Changed galleries, in their present state. */
  galleries: readonly GalleryRecord[]
}

/** Keys that an operation is about. */
const keysOf = (work: Work) => (work.verb === 'add' ? work.entries : work.keys)

/**
 * Executes operations in a transaction. As soon as operations are refused, calls `onRemaining` with the operations that still need
 * a response.
 */
async function writeWorks(
  sql: Sql,
  operations: readonly Work[],
  onRemaining: (operations: readonly Work[]) => void,
): Promise<Written> {
  const keys = operations.flatMap(keysOf)
  const records = await recordsOf(sql, keys)
  const stored = await storedOf(sql, records, keys)
  const batch = new Batch(stored)
  const first = operations.findIndex(work => !batch.take(work))
  const left = first === -1 ? [] : operations.slice(first)
  const { additions, removals } = batch
  const taken = new Set<Work>([...additions, ...removals].map(({ work }) => work))
  onRemaining(operations.filter(work => taken.has(work) || left.includes(work)))
  const entries = additions.flatMap(({ work }) => work.entries)
  const replaced = additions
    .flatMap(({ work }) => (work.replaces ? work.entries : []))
    .filter(({ gallery, id }) => stored.get(gallery)?.serves(id))
  const removed = [...removals.flatMap(({ known }) => known), ...replaced]
  await makeGalleries(sql, records, entries)
  await deleteRows(sql, records, removed)
  await insertRows(sql, records, entries)
  const changes = new Map<number, number>()
  const count = (name: string, change: number) => {
    const { number } = records.get(name)!
    changes.set(number, (changes.get(number) ?? 0) + change)
  }
  for (const { gallery } of entries) count(gallery, 1)
  for (const { gallery } of removed) count(gallery, -1)
  const galleries = changes.size === 0 ? [] : await countVectors(sql, changes)
  return { additions, removals, left, galleries }
}

type Records = Map<string, GalleryRecord>

/** Existing galleries of these keys. */
async function recordsOf(sql: Sql, keys: readonly VectorKey[]): Promise<Records> {
  const names = [...new Set(keys.map(({ gallery }) => gallery))]
  return new Map((await storedGalleries(sql, names)).map(record => [record.name, record]))
}

/** Galleries with vectors, each with the existing ids among these keys. */
async function storedOf(
  sql: Sql,
  records: Records,
  keys: readonly VectorKey[],
): Promise<Map<string, StoredGallery>> {
  const ids = new Map([...records.values()].map(({ number }) => [number, new Set<number>()]))
  for (const [table, columns] of byPartition(records, keys)) {
    const rows = await sql<{ gallery: number; id: number }>(
      `select gallery, id from ${table} where (gallery, id) in (select * from unnest($1::integer[], $2::bigint[]))`,
      columns,
    )
    for (const { gallery, id } of rows) ids.get(gallery)?.add(id)
  }
  const stored = new Map<string, StoredGallery>()
  for (const { name, number, dimension, vectors } of records.values()) {
    const has = (id: number) => ids.get(number)!.has(id)
    if (vectors > 0) stored.set(name, { dimension, serves: has, keeps: has })
  }
  return stored
}

/** Gallery numbers and ids of the keys, by partition that may have them. */
function byPartition(records: Records, keys: readonly VectorKey[]): Map<string, [number[], number[]]> {
  const parts = new Map<string, [number[], number[]]>()
  for (const { gallery, id } of keys) {
    const record = records.get(gallery)
    for (const table of record ? partitionsOf(record) : []) {
      const [galleries, ids] = parts.get(table) ?? [[], []]
      galleries.push(record!.number)
      ids.push(id)
      parts.set(table, [galleries, ids])
    }
  }
  return parts
}

/** Creates the galleries that these entries need, and adds them to `records`. Replaces empty ones of another dimension. */
async function makeGalleries(sql: Sql, records: Records, entries: readonly VectorEntry[]) {
  const needed = new Map<string, number>()
  const outdated: number[] = []
  for (const { gallery, vector } of entries) {
    const record = records.get(gallery)
    if (record && (record.vectors > 0 || record.dimension === vector.length)) continue
    if (record && !needed.has(gallery)) outdated.push(record.number)
    needed.set(gallery, vector.length)
  }
  if (outdated.length > 0) await removeEmpty(sql, outdated)
  if (needed.size === 0) return
  const made = await registeredGalleries(sql, needed)
  if (made.length < needed.size) throw new ConcurrentChange('a gallery was made concurrently')
  for (const record of made) records.set(record.name, record)
}

/** Throws ConcurrentChange when another writer has removed one of them. */
async function deleteRows(sql: Sql, records: Records, keys: readonly VectorKey[]) {
  let deleted = 0
  for (const [table, columns] of byPartition(records, keys)) {
    const rows = await sql(
      `delete from ${table} where (gallery, id) in (select * from unnest($1::integer[], $2::bigint[])) returning id`,
      columns,
    )
    deleted += rows.length
  }
  if (deleted < keys.length) throw new ConcurrentChange('a vector was removed concurrently')
}

async function insertRows(sql: Sql, records: Records, entries: readonly VectorEntry[]) {
  const parts = Map.groupBy(entries, ({ gallery }) => records.get(gallery)!.place)
  for (const [place, own] of parts) {
    const isIndexed = records.get(own[0]!.gallery)!.indexName !== null
    const atOnce = isIndexed ? PER_STATEMENT_INDEXED : PER_STATEMENT
    for (let from = 0; from < own.length; from += atOnce) {
      const values: Value[] = []
      const rows = own.slice(from, from + atOnce).map(({ gallery, id, vector }) => {
        values.push(id, vectorBytes(vector))
        return `(${records.get(gallery)!.number}, $${values.length - 1}, ${place}, $${values.length})`
      })
      await sql(`insert into ${partition(place)} values ${rows.join(', ')}`, values)
    }
  }
}
