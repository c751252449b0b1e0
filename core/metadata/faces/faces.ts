/** All queries on faces. A query that takes an owner sees only that owner's faces. */
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  lt,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { FootageKind } from '../../../contract/limits/cameras.ts'
import { DEFAULT_GALLERY } from '../../../contract/model/gallery.ts'
import type { Database } from '../database.ts'
import { faces, memberships } from '../schema.ts'
import { selectInSteps } from '../select-in-steps.ts'
import { type EventFilter, eventConditions, type FriendRule, friendBy, isFriend } from './event-conditions.ts'

/** A row of the faces table. */
export type FaceRow = typeof faces.$inferSelect

/**
 * A face's row, its named galleries (sorted), and the meta of its candidate (null without one). Also: whether its camera saw a
 * friend, and whether its person is ignored.
 */
export type StoredFace = FaceRow & {
  galleries: string[]
  friend: boolean
  candidateMeta: string | null
  silent: boolean
}

/** The person of the face, or its candidate, is one to ignore. A `person_id` that is a text begins with a quotation mark. */
const isSilent = sql<boolean>`EXISTS (
  SELECT 1 FROM persons silent WHERE silent.owner = faces.owner AND silent.silent = 1 AND silent.id = coalesce(
    CASE WHEN faces.person_id NOT LIKE '"%' THEN CAST(faces.person_id AS INTEGER) END, faces.candidate
  )
)`.mapWith(Boolean)

/** The columns of a face's row, `friend`, `silent` and `candidateMeta`. */
export const faceColumns = (friends: FriendRule) => ({
  ...getTableColumns(faces),
  friend: friendBy(friends),
  silent: isSilent,
  candidateMeta: sql<string | null>`(
    SELECT candidates.meta FROM persons candidates WHERE candidates.owner = faces.owner AND candidates.id = faces.candidate
  )`,
})

/** Conditions on faces: one id, a list of ids, a person, a named gallery, an exact meta. Absent fields are no condition. */
export interface FaceFilter {
  id?: number
  ids?: readonly number[]
  person?: number
  gallery?: string
  meta?: string
}

/** A page by descending id: below `maxId`, or the rows nearest above `minId`. */
export interface PageBounds {
  maxId?: number
  minId?: number
  limit: number
}

/**
 * One page of the rows with this id, and whether there are rows with greater and lesser ids. `select` returns rows that meet a
 * condition, in an order.
 */
export async function pageOf<Row>(
  id: SQLWrapper,
  { maxId, minId, limit }: PageBounds,
  idOf: (row: Row) => number,
  select: (where: SQL | undefined, limit: number, ...order: SQL[]) => PromiseLike<Row[]>,
): Promise<{ rows: Row[]; newer: boolean; older: boolean }> {
  const below = maxId === undefined ? undefined : lt(id, maxId)
  const above = minId === undefined ? undefined : gt(id, minId)
  const rows = await select(and(below, above), limit, above ? asc(id) : desc(id))
  if (above) rows.reverse()
  const ids = rows.map(idOf)
  // An empty page takes its own bounds as top and bottom.
  const top = ids[0] ?? (maxId === undefined ? undefined : maxId - 1)
  const bottom = ids.at(-1) ?? (minId === undefined ? undefined : minId + 1)
  // Without an order, the database takes the first row that it finds.
  const any = async (where: SQL) => (await select(where, 1)).length > 0
  return {
    rows,
    newer: top !== undefined && (await any(gt(id, top))),
    older: bottom !== undefined && (await any(lt(id, bottom))),
  }
}

export async function faceById(
  database: Database,
  friends: FriendRule,
  owner: string,
  id: number,
): Promise<StoredFace | undefined> {
  return (await facesById(database, friends, owner, [id])).get(id)
}

/** The owner's faces among these ids, by id, newest first. */
export async function facesById(
  database: Database,
  friends: FriendRule,
  owner: string,
  ids: readonly number[],
): Promise<Map<number, StoredFace>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .select(faceColumns(friends))
    .from(faces)
    .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids])))
    .orderBy(desc(faces.id))
  return new Map((await withGalleries(database, owner, rows)).map(face => [face.id, face]))
}

/** One page of the owner's faces, newest first, and whether there are newer and older faces. */
export async function facePage(
  database: Database,
  friends: FriendRule,
  owner: string,
  { events, maxId, minId, limit, ...filter }: PageBounds & FaceFilter & { events?: EventFilter },
): Promise<{ faces: StoredFace[]; newer: boolean; older: boolean }> {
  const { gallery, person, meta } = filter
  const seen = events && eventConditions(friends, { ...events, friend: undefined })
  // The members of a gallery have an order: a page reads only the members that it shows.
  const members = (seen ?? person ?? meta) === undefined ? gallery : undefined
  const listed = and(
    eq(faces.owner, owner),
    filterOf(database, owner, { ...filter, ...(members !== undefined && { gallery: undefined }) }),
    seen,
  )
  const id = members === undefined ? faces.id : memberships.face
  const [by, beyond] = minId === undefined ? [desc, lt] : [asc, gt]
  const costly = isFriend(friends, events?.friend)
  const select = (where: SQL | undefined, most: number, ...order: SQL[]) =>
    selectInSteps<Omit<StoredFace, 'galleries'>>(costly, most, {
      owner,
      id,
      columns: faceColumns(friends),
      after: last => and(listed, where, last === undefined ? undefined : beyond(id, last)),
      select: (columns, wanted, count) => {
        const query = database
          .select(columns)
          .from(faces)
          .where(wanted)
          .orderBy(...(costly ? [by(id)] : order))
          .limit(count)
          .$dynamic()
        return members === undefined
          ? query
          : query.innerJoin(
              memberships,
              and(
                eq(memberships.face, faces.id),
                eq(memberships.owner, owner),
                eq(memberships.gallery, members),
              ),
            )
      },
    })
  const { rows, ...others } = await pageOf(id, { maxId, minId, limit }, row => row.id, select)
  return { faces: await withGalleries(database, owner, rows), ...others }
}

/** The next ids of an owner's faces above an id, ascending. */
export async function nextFaceIds(
  database: Database,
  owner: string,
  filter: FaceFilter,
  above: number,
  limit: number,
): Promise<number[]> {
  const rows = await database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), filterOf(database, owner, filter), gt(faces.id, above)))
    .orderBy(asc(faces.id))
    .limit(limit)
  return rows.map(row => row.id)
}

/** The number of faces of each owner. Owners without faces are left out. */
export const faceCounts = (database: Database): Promise<{ owner: string; faces: number }[]> =>
  database.select({ owner: faces.owner, faces: count() }).from(faces).groupBy(faces.owner)

/** The number of an owner's faces that match the filter. */
export const faceCount = (database: Database, owner: string, filter: FaceFilter = {}): Promise<number> =>
  database.$count(faces, and(eq(faces.owner, owner), filterOf(database, owner, filter)))

/** Keys of a face's vectors and pictures: its id, its owner and its named galleries. */
export type FaceKeys = Pick<StoredFace, 'id' | 'owner' | 'galleries'>

/** How often the pictures of a face of a camera were replaced: each time has an event. */
const updates = sql<number>`(SELECT max(count(*) - 1, 0) FROM events WHERE events.face = faces.id)`

/** The faces among these ids, of all owners. */
export async function faceKeysOf(
  database: Database,
  ids: readonly number[],
): Promise<(FaceKeys & { updates: number })[]> {
  const rows = await database
    .select({ id: faces.id, owner: faces.owner, updates })
    .from(faces)
    .where(inArray(faces.id, [...ids]))
  return joinGalleries(rows, await membershipsOf(database, [...ids]))
}

/** The number of faces, of all owners, without stored pictures. */
export const unpicturedCount = (database: Database): Promise<number> =>
  database.$count(faces, eq(faces.pictured, false))

/** Marks these faces as enrolled without pictures. */
export async function markUnpictured(database: Database, ids: readonly number[]): Promise<void> {
  await database
    .update(faces)
    .set({ pictured: false })
    .where(inArray(faces.id, [...ids]))
}

/** The next faces of all owners above an id, ascending; for the comparison with vectors and pictures. */
export async function nextFaceKeys(
  database: Database,
  above: number,
  limit: number,
): Promise<(FaceKeys & Pick<FaceRow, 'pictured' | FootageKind> & { updates: number })[]> {
  const { id, owner, pictured, snapshot, clip } = faces
  const rows = await database
    .select({ id, owner, pictured, snapshot, clip, updates })
    .from(faces)
    .where(gt(faces.id, above))
    .orderBy(asc(faces.id))
    .limit(limit)
  const ids = rows.map(row => row.id)
  return joinGalleries(rows, await membershipsOf(database, ids))
}

/** The SQL condition of a filter. */
export const filterOf = (database: Database, owner: string, { id, ids, person, gallery, meta }: FaceFilter) =>
  and(
    id === undefined ? undefined : eq(faces.id, id),
    ids === undefined ? undefined : inArray(faces.id, [...ids]),
    person === undefined ? undefined : eq(faces.personId, person),
    gallery === undefined ? undefined : inArray(faces.id, membersOf(database, owner, gallery)),
    meta === undefined ? undefined : eq(faces.meta, meta),
  )

/** Condition on the table `faces`, or on an alias of it: the face is in the gallery. */
export const inGallery = (owner: string, gallery: string | undefined, face = sql.raw('faces.id')): SQL =>
  gallery === undefined || gallery === DEFAULT_GALLERY
    ? sql`1`
    : sql`EXISTS (SELECT 1 FROM memberships WHERE memberships.owner = ${owner}
        AND memberships.gallery = ${gallery} AND memberships.face = ${face})`

const membersOf = (database: Database, owner: string, gallery: string) =>
  database
    .select({ face: memberships.face })
    .from(memberships)
    .where(and(eq(memberships.owner, owner), eq(memberships.gallery, gallery)))

/** Adds the galleries of the owner's faces. */
export async function withGalleries<Row extends { id: number }>(
  database: Database,
  owner: string,
  rows: Row[],
): Promise<(Row & { galleries: string[] })[]> {
  const ids = rows.map(row => row.id)
  // Without the plus, SQLite reads all memberships of the owner by the primary key.
  return joinGalleries(rows, await membershipsOf(database, ids, sql`+${memberships.owner} = ${owner}`))
}

const membershipsOf = (database: Database, ids: number[], where?: SQL) =>
  database
    .select({ face: memberships.face, gallery: memberships.gallery })
    .from(memberships)
    .where(and(where, inArray(memberships.face, ids)))
    .orderBy(asc(memberships.gallery))

function joinGalleries<Row extends { id: number }>(
  rows: Row[],
  members: { face: number; gallery: string }[],
): (Row & { galleries: string[] })[] {
  const byFace = Map.groupBy(members, member => member.face)
  return rows.map(row => ({ ...row, galleries: (byFace.get(row.id) ?? []).map(member => member.gallery) }))
}

/** A face with what says who it shows. */
export type LabelledFace = Pick<typeof faces.$inferSelect, 'id' | 'personId' | 'meta'>

/** What says who a face shows: its person, else its meta, else the face itself. */
export const labelOf = ({ id, personId, meta }: LabelledFace): string =>
  personId === null ? (meta === '' ? `face ${id}` : `meta ${meta}`) : `person ${personId}`

/** Condition: the face is not set aside. */
export const IS_NOT_SET_ASIDE = sql`${faces.review} IS NOT 'set_aside'`

const LABELLED = { id: faces.id, personId: faces.personId, meta: faces.meta }

/** The owner's faces among these ids, without faces that are set aside. */
export const labelledFaces = (
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<LabelledFace[]> =>
  database
    .select(LABELLED)
    .from(faces)
    .where(and(eq(faces.owner, owner), IS_NOT_SET_ASIDE, inArray(faces.id, [...ids])))
