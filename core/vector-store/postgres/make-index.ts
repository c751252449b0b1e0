/** Makes a gallery's index: gives the gallery a partition, moves its vectors there, and has the database make an HNSW. */
import type { IndexType } from './address.ts'
import type { Sql } from './client.ts'
import type { Connections } from './connections.ts'
import { type GalleryRecord, heldGalleries, partition } from './galleries.ts'
import { LOCKS } from './schema.ts'
import { indexed } from './search.ts'

/** Vectors that move in one transaction: a writer waits that long. */
const MOVED_AT_ONCE = 1_000

/** Neighbours of a node, and candidates for them: twice what pgvector has by itself, for faces that are hard to tell apart. */
const GRAPH = 'm = 24, ef_construction = 128'

/** Numbers of a vector that an HNSW of pgvector takes. */
const LONGEST: Record<IndexType, number> = { vector: 2_000, halfvec: 4_000 }

/** What the database can index of such vectors: in 16 bits where it has to be; undefined where it can't. */
export function typeFor(dimension: number, wanted: IndexType): IndexType | undefined {
  return ([wanted, 'halfvec'] as const).find(type => dimension <= LONGEST[type])
}

/**
 * Resolves when searches ask the index; with false where somebody else makes one. Rejects when it can't be made, and when
 * the signal comes.
 */
export async function makeIndex(
  connections: Connections,
  gallery: GalleryRecord,
  type: IndexType,
  signal: AbortSignal,
): Promise<boolean> {
  const { number, name, dimension } = gallery
  return connections.alone(signal, async sql => {
    // Held by this connection, and gone with it: whoever sees it knows that somebody is at work.
    const [lock] = await sql<{ ours: boolean }>(`select pg_try_advisory_lock(${LOCKS}, ${number}) as ours`)
    if (!lock!.ours) return false
    const table = partition(number)
    try {
      if (gallery.place === 0) await ownPartition(sql, connections, gallery)
      await moveAll(connections, gallery, signal)
      const before = await indexesOf(sql, table)
      const index = `${table}_${1 + Math.max(0, ...before.map(each => Number(each.split('_').at(-1))))}`
      const inForce = (await heldName(connections, name)) ?? null
      for (const left of before) if (left !== inForce) await sql(`drop index concurrently "${left}"`)
      await sql(
        `create index concurrently ${index} on ${table} using hnsw (${indexed(dimension, type)} ${type}_ip_ops) with (${GRAPH})`,
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
      // A proxy may keep the connection.
      await sql('select pg_advisory_unlock_all()').catch(() => {})
    }
  })
}

/** From now on new vectors go to the gallery's own partition. */
async function ownPartition(sql: Sql, { write }: Connections, { number }: GalleryRecord): Promise<void> {
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

/** Writers of the gallery stand back for each transaction; readers see each vector once all the time. */
async function moveAll(
  { write }: Connections,
  { number }: GalleryRecord,
  signal: AbortSignal,
): Promise<void> {
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

/** Whole ones, and what is left of those that were begun. */
async function indexesOf(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    `select c.relname as name from pg_index join pg_class c on c.oid = indexrelid join pg_am am on am.oid = c.relam
      where indrelid = '${table}'::regclass and am.amname = 'hnsw'`,
  )
  return rows.map(({ name }) => name)
}

/** The index that is asked now. */
const heldName = ({ write }: Connections, name: string): Promise<string | null | undefined> =>
  write(async sql => (await heldGalleries(sql, [name]))[0]?.indexName)
