/** All queries on faces. A query that takes an owner sees only that owner's faces. */
import { and, asc, count, desc, eq, getTableColumns, gt, inArray, lt, type SQL } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces, memberships } from '../schema.ts'
import { type EventFilter, eventConditions, type FriendRule, friendBy } from './event-conditions.ts'

/** A row of the faces table. */
export type FaceRow = typeof faces.$inferSelect

/** A face's row, its named galleries (sorted), and whether its camera saw a friend. */
export type StoredFace = FaceRow & { galleries: string[]; friend: boolean }

/** The columns of a face's row, and `friend`. */
export const faceColumns = (friends: FriendRule) => ({
  ...getTableColumns(faces),
  friend: friendBy(friends),
})

/** Conditions on faces: one id, a list of ids, a person, a named gallery, an exact meta. Absent fields are no condition. */
export interface FaceFilter {
  id?: number | undefined
  ids?: readonly number[] | undefined
  person?: number | undefined
  gallery?: string | undefined
  meta?: string | undefined
}

/** A page of the list from the newest face to the oldest: below `maxId`, or the faces nearest above `minId`. */
export interface PageRequest extends Omit<FaceFilter, 'id'> {
  events?: EventFilter | undefined
  maxId?: number | undefined
  minId?: number | undefined
  limit: number
}

export interface Page {
  /** Newest first. */
  faces: StoredFace[]
  newer: boolean
  older: boolean
}

export async function faceById(
  database: Database,
  friends: FriendRule,
  owner: string,
  id: number,
): Promise<StoredFace | undefined> {
  const [face] = await facesById(database, friends, owner, [id])
  return face
}

/** The owner's faces among these ids, newest first. */
export async function facesById(
  database: Database,
  friends: FriendRule,
  owner: string,
  ids: readonly number[],
): Promise<StoredFace[]> {
  if (ids.length === 0) return []
  return withGalleries(
    database,
    owner,
    await database
      .select(faceColumns(friends))
      .from(faces)
      .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids])))
      .orderBy(desc(faces.id)),
  )
}

/** One page of the owner's faces, and whether there are newer and older faces. */
export async function facePage(
  database: Database,
  friends: FriendRule,
  owner: string,
  { maxId, minId, limit, events, ...filter }: PageRequest,
): Promise<Page> {
  const listed = (where: SQL | undefined) =>
    and(
      eq(faces.owner, owner),
      filtered(database, owner, filter),
      events && eventConditions(friends, events),
      where,
    )
  const rows = await database
    .select(faceColumns(friends))
    .from(faces)
    .where(
      listed(
        and(
          maxId === undefined ? undefined : lt(faces.id, maxId),
          minId === undefined ? undefined : gt(faces.id, minId),
        ),
      ),
    )
    .orderBy(minId === undefined ? desc(faces.id) : asc(faces.id))
    .limit(limit)
  if (minId !== undefined) rows.reverse()
  // An empty page takes its own bounds as top and bottom.
  const top = rows[0]?.id ?? (maxId === undefined ? undefined : maxId - 1)
  const bottom = rows.at(-1)?.id ?? (minId === undefined ? undefined : minId + 1)
  return {
    faces: await withGalleries(database, owner, rows),
    newer: top !== undefined && (await anyFace(database, listed(gt(faces.id, top)))),
    older: bottom !== undefined && (await anyFace(database, listed(lt(faces.id, bottom)))),
  }
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
    .where(and(eq(faces.owner, owner), filtered(database, owner, filter), gt(faces.id, above)))
    .orderBy(asc(faces.id))
    .limit(limit)
  return rows.map(row => row.id)
}

/** The number of faces of each owner. Owners without faces are left out. */
export const faceCounts = (database: Database): Promise<{ owner: string; faces: number }[]> =>
  database.select({ owner: faces.owner, faces: count() }).from(faces).groupBy(faces.owner)

/** The number of an owner's faces. */
export async function faceCount(database: Database, owner: string): Promise<number> {
  const [found] = await database.select({ faces: count() }).from(faces).where(eq(faces.owner, owner))
  return found?.faces ?? 0
}

/** Keys of a face's vectors and pictures: its id, its owner and its named galleries. */
export type FaceKeys = Pick<StoredFace, 'id' | 'owner' | 'galleries'>

/** The faces among these ids, of all owners. */
export async function faceKeysOf(database: Database, ids: readonly number[]): Promise<FaceKeys[]> {
  const rows = await database
    .select({ id: faces.id, owner: faces.owner })
    .from(faces)
    .where(inArray(faces.id, [...ids]))
  return joinGalleries(rows, await membershipsOf(database, [...ids]))
}

/** The number of faces, of all owners, without stored pictures. */
export async function unpicturedCount(database: Database): Promise<number> {
  const [found] = await database.select({ faces: count() }).from(faces).where(eq(faces.pictured, false))
  return found?.faces ?? 0
}

/** Ids of the persons of these faces of an owner. */
export async function personsOfFaces(
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await database
    .selectDistinct({ personId: faces.personId })
    .from(faces)
    .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids])))
  return rows.flatMap(({ personId }) => (typeof personId === 'number' ? [personId] : []))
}

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
): Promise<(FaceKeys & Pick<FaceRow, 'pictured'>)[]> {
  const rows = await database
    .select({ id: faces.id, owner: faces.owner, pictured: faces.pictured })
    .from(faces)
    .where(gt(faces.id, above))
    .orderBy(asc(faces.id))
    .limit(limit)
  const ids = rows.map(row => row.id)
  return joinGalleries(rows, await membershipsOf(database, ids))
}

/** The SQL condition of a filter. */
export const filtered = (database: Database, owner: string, { id, ids, person, gallery, meta }: FaceFilter) =>
  and(
    id === undefined ? undefined : eq(faces.id, id),
    ids === undefined ? undefined : inArray(faces.id, [...ids]),
    person === undefined ? undefined : eq(faces.personId, person),
    gallery === undefined ? undefined : inArray(faces.id, membersOf(database, owner, gallery)),
    meta === undefined ? undefined : eq(faces.meta, meta),
  )

const membersOf = (database: Database, owner: string, gallery: string) =>
  database
    .select({ face: memberships.face })
    .from(memberships)
    .where(and(eq(memberships.owner, owner), eq(memberships.gallery, gallery)))

async function anyFace(database: Database, where: SQL | undefined): Promise<boolean> {
  const found = await database.select({ id: faces.id }).from(faces).where(where).limit(1)
  return found.length > 0
}

/** Adds the galleries of the owner's faces. */
export async function withGalleries<Row extends { id: number }>(
  database: Database,
  owner: string,
  rows: Row[],
): Promise<(Row & { galleries: string[] })[]> {
  const ids = rows.map(row => row.id)
  return joinGalleries(rows, await membershipsOf(database, ids, eq(memberships.owner, owner)))
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
