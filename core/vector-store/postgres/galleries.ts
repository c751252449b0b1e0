/** The table of galleries: where each one's vectors are, how many there are, and what its index is. */
import type { GalleryStatistics, IndexState } from '../vector-store.ts'
import type { IndexType } from './address.ts'
import type { Sql } from './client.ts'
import { LOCKS } from './schema.ts'

export interface GalleryRecord {
  number: number
  name: string
  dimension: number
  vectors: number
  /** The partition of new vectors. */
  place: number
  /** Some are in the partition of small galleries still, on their way to their own. */
  spread: boolean
  /** The index that has every vector; null where there is none. */
  indexName: string | null
  /** What the index rounds vectors to. */
  indexType: IndexType | null
}

const RECORD = `number, name, dimension, vectors, place, spread, index_name as "indexName", index_type as "indexType"`

/** One that has vectors; undefined when it is unknown. */
export async function galleryNamed(sql: Sql, name: string): Promise<GalleryRecord | undefined> {
  const [record] = await sql<GalleryRecord>(
    `select ${RECORD} from galleries where name = $1 and vectors > 0`,
    [name],
  )
  return record
}

/**
 * Those of these names that there are, also when they are empty. None of them moves or goes before the transaction ends.
 */
export const heldGalleries = (sql: Sql, names: readonly string[]): Promise<GalleryRecord[]> =>
  sql(`select ${RECORD} from galleries where name = any($1) order by number for key share`, [names])

/** Makes these, without vectors; those that are there already are not among what it resolves with. */
export const madeGalleries = (sql: Sql, dimensions: ReadonlyMap<string, number>): Promise<GalleryRecord[]> =>
  sql(
    `insert into galleries (name, dimension) select * from unnest($1::text[], $2::integer[])
      on conflict (name) do nothing returning ${RECORD}`,
    [[...dimensions.keys()], [...dimensions.values()]],
  )

/** Adds to the numbers of vectors, or takes away; resolves with these galleries as they are then. */
export const countVectors = (sql: Sql, changes: ReadonlyMap<number, number>): Promise<GalleryRecord[]> =>
  sql(
    `update galleries set vectors = vectors + change
      from unnest($1::integer[], $2::bigint[]) as changed (gallery, change) where number = gallery
      returning ${RECORD}`,
    [[...changes.keys()], [...changes.values()]],
  )

/** Removes those of these galleries that have nothing; resolves with the partitions that they had for themselves. */
export async function removeEmpty(sql: Sql, numbers: readonly number[]): Promise<number[]> {
  const removed = await sql<{ place: number }>(
    'delete from galleries where number = any($1) and vectors = 0 returning place',
    [numbers],
  )
  return removed.flatMap(({ place }) => (place === 0 ? [] : place))
}

/** Partitions of galleries that are gone. */
export async function leftPartitions(sql: Sql): Promise<number[]> {
  const rows = await sql<{ place: number }>(
    `select substr(relname, 5)::integer as place from pg_inherits join pg_class c on c.oid = inhrelid
      where inhparent = 'vectors'::regclass and relname ~ '^own_[0-9]+$'
      and substr(relname, 5)::integer not in (select number from galleries)`,
  )
  return rows.map(({ place }) => place)
}

/** The name of the partition. */
export const partition = (place: number): string => (place === 0 ? 'small' : `own_${place}`)

/** The partitions that have vectors of this gallery. */
export const partitionsOf = ({ place, spread }: GalleryRecord): string[] =>
  spread ? [partition(place), partition(0)] : [partition(place)]

/** What to select the gallery's vectors from, and which of what is there are its own. */
export const rowsOf = (gallery: GalleryRecord): string =>
  gallery.spread
    ? `vectors where gallery = ${gallery.number} and place in (0, ${gallery.place})`
    : `${partition(gallery.place)} where gallery = ${gallery.number}`

interface Row extends GalleryRecord {
  failed: boolean
  /** Whether somebody, here or elsewhere, makes an index now; and of how many vectors that has come to be of. */
  building: boolean
  built: number | null
  /** Rows of its own partition that nobody sees any more, and that the index still has. */
  dead: number
  handle: number | null
}

const rowsWhere = (condition: string): string =>
  `select ${RECORD}, failed is not null as failed,
    exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${LOCKS} and objid::bigint = number) as building,
    (select tuples_done from pg_stat_progress_create_index where relid = own) as built,
    coalesce(pg_stat_get_dead_tuples(own), 0) as dead,
    to_regclass(index_name)::oid as handle
  from galleries, lateral (select to_regclass('own_' || place) as own) partitions
  where vectors > 0 ${condition} order by name`

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

/** Undefined for an unknown gallery. */
export async function indexStateOf(sql: Sql, name: string): Promise<IndexState | undefined> {
  const [row] = await sql<Row>(rowsWhere('and name = $1'), [name])
  if (!row) return undefined
  if (row.building) return { state: 'building', progress: Math.min(1, (row.built ?? 0) / row.vectors) }
  if (row.failed) return { state: 'failed', progress: 1 }
  return { state: row.indexName === null ? 'none' : 'ready', progress: 1 }
}
