/** Table of galleries: the partition, the number of vectors and the index of each. */
import type { GalleryStatistics, IndexState } from '../vector-store.ts'
import type { IndexType } from './address.ts'
import type { Sql } from './client.ts'
import { LOCKS } from './schema.ts'

export interface GalleryRecord {
  number: number
  name: string
  dimension: number
  vectors: number
  /** Partition of new vectors; 0 is the shared partition of small galleries. */
  place: number
  /** Some vectors are still in the partition of small galleries, until they are moved to the gallery's own. */
  spread: boolean
  /** Index that has every vector; null when there is none. */
  indexName: string | null
  /** Type to which the index rounds values. */
  indexType: IndexType | null
}

const RECORD = `number, name, dimension, vectors, place, spread, index_name as "indexName", index_type as "indexType"`

/** A gallery that has vectors; undefined when it is unknown. */
export async function galleryNamed(sql: Sql, name: string): Promise<GalleryRecord | undefined> {
  const [record] = await sql<GalleryRecord>(
    `select ${RECORD} from galleries where name = $1 and vectors > 0`,
    [name],
  )
  return record
}

/**
 * Existing galleries of these names, including empty ones. Locks them: none moves or is removed before the transaction
 * ends.
 */
export const storedGalleries = (sql: Sql, names: readonly string[]): Promise<GalleryRecord[]> =>
  sql(`select ${RECORD} from galleries where name = any($1) order by number for key share`, [names])

/** Creates these galleries without vectors; resolves with the created ones. Existing galleries are skipped. */
export const registeredGalleries = (
  sql: Sql,
  dimensions: ReadonlyMap<string, number>,
): Promise<GalleryRecord[]> =>
  sql(
    `insert into galleries (name, dimension) select * from unnest($1::text[], $2::integer[])
      on conflict (name) do nothing returning ${RECORD}`,
    [[...dimensions.keys()], [...dimensions.values()]],
  )

/** Adds changes to the numbers of vectors; resolves with the changed galleries. */
export const countVectors = (sql: Sql, changes: ReadonlyMap<number, number>): Promise<GalleryRecord[]> =>
  sql(
    `update galleries set vectors = vectors + change
      from unnest($1::integer[], $2::bigint[]) as changed (gallery, change) where number = gallery
      returning ${RECORD}`,
    [[...changes.keys()], [...changes.values()]],
  )

/** Removes the empty galleries among these; resolves with the numbers of their own partitions. */
export async function removeEmpty(sql: Sql, numbers: readonly number[]): Promise<number[]> {
  const removed = await sql<{ place: number }>(
    'delete from galleries where number = any($1) and vectors = 0 returning place',
    [numbers],
  )
  return removed.flatMap(({ place }) => (place === 0 ? [] : place))
}

/** Partitions of removed galleries. */
export async function leftPartitions(sql: Sql): Promise<number[]> {
  const rows = await sql<{ place: number }>(
    `select substr(relname, 5)::integer as place from pg_inherits join pg_class c on c.oid = inhrelid
      where inhparent = 'vectors'::regclass and relname ~ '^own_[0-9]+$'
      and substr(relname, 5)::integer not in (select number from galleries)`,
  )
  return rows.map(({ place }) => place)
}

/** Name of a partition. */
export const partition = (place: number): string => (place === 0 ? 'small' : `own_${place}`)

/** Names of the partitions that have vectors of this gallery. */
export const partitionsOf = ({ place, spread }: GalleryRecord): string[] =>
  spread ? [partition(place), partition(0)] : [partition(place)]

/** Source of a `select` with a condition: the gallery's vectors. */
export const rowsOf = (gallery: GalleryRecord): string =>
  gallery.spread
    ? `vectors where gallery = ${gallery.number} and place in (0, ${gallery.place})`
    : `${partition(gallery.place)} where gallery = ${gallery.number}`

interface Row extends GalleryRecord {
  failed: boolean
  /** Whether any core builds an index now; and how many vectors that build has finished. */
  building: boolean
  built: number | null
  /** Removed rows of its partition that the index still has. */
  dead: number
  handle: number | null
}

const rowsWhere = (condition: string) =>
  `select ${RECORD}, failed is not null as failed,
    exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${LOCKS} and objid::bigint = number) as building,
    (select tuples_done from pg_stat_progress_create_index where relid = own) as built,
    coalesce(pg_stat_get_dead_tuples(own), 0) as dead,
    to_regclass(index_name)::oid as handle
  from galleries, lateral (select to_regclass('own_' || place) as own) partitions
  where vectors > 0 ${condition} order by name`

/** Statistics of the galleries that have vectors, or of one. */
export async function statisticsOf(sql: Sql, name?: string): Promise<GalleryStatistics[]> {
  const rows = await (name === undefined
    ? sql<Row>(rowsWhere(''))
    : sql<Row>(rowsWhere('and name = $1'), [name]))
  return rows.map(row => {
    const indexed = row.indexName !== null
    return {
      gallery: row.name,
      linear: indexed || row.building ? 0 : row.vectors,
      preindex: !indexed && row.building ? row.vectors : 0,
      indexed: indexed ? row.vectors : 0,
      preindexDeleted: 0,
      indexedDeleted: indexed ? row.dead : 0,
      indexFile: row.indexName ?? undefined,
      indexLoaded: indexed,
      indexHandle: indexed ? (row.handle ?? 0) : 0,
    }
  })
}

/** Index state of a gallery; undefined when it is unknown. */
export async function indexStateOf(sql: Sql, name: string): Promise<IndexState | undefined> {
  const [row] = await sql<Row>(rowsWhere('and name = $1'), [name])
  if (!row) return undefined
  if (row.building) return { state: 'building', progress: Math.min(1, (row.built ?? 0) / row.vectors) }
  if (row.failed) return { state: 'failed', progress: 1 }
  return { state: row.indexName === null ? 'none' : 'ready', progress: 1 }
}
