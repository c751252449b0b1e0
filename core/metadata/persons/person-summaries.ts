/** Queries on persons with their faces. Each takes the owner and sees only that owner's rows. */
import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { Database } from '../database.ts'
import { type FaceFilter, nextFaceIds, type PageBounds, pageOf } from '../faces/faces.ts'
import { fillFoldedNames, nameContains } from '../person-names.ts'
import { faces, persons } from '../schema.ts'
import { areOtherFaces } from './template-faces.ts'

/** A person, the number of their faces, and the ids of two faces; null without faces. */
export interface CountedPerson {
  id: number
  meta: string
  silent: boolean
  count: number
  /** The best of the newest faces: one in use, then by quality, size and id. */
  best: number | null
  /** The latest of the newest faces. */
  latest: number | null
  /** The face of the person that a user chose. */
  portrait: number | null
}

/** Faces of the person of the outer query, along the index `faces_person`. */
const OF_THE_PERSON = 'faces.owner = persons.owner AND faces.person_id = CAST(persons.id AS TEXT)'

const firstBy = (order: string) =>
  sql.raw(`(
    SELECT newest.id FROM (
      SELECT faces.id, faces.timestamp, faces.review, (faces.x2 - faces.x1) * (faces.y2 - faces.y1) AS area,
        coalesce(faces.measured_quality, faces.quality ->> '$.quality') AS quality
      FROM faces WHERE ${OF_THE_PERSON} ORDER BY faces.id DESC LIMIT ${FACE_LIMITS.representedFaces}
    ) newest ORDER BY ${order} LIMIT 1
  )`) as SQL<number | null>

const COLUMNS = {
  id: persons.id,
  meta: persons.meta,
  silent: persons.silent,
  count: sql<number>`(SELECT count(*) FROM faces WHERE ${sql.raw(OF_THE_PERSON)})`,
  // The size of photos is not stored, so a part of the area can be outside of one: it decides only without a quality. SQLite
  // orders a missing quality below every number.
  best: firstBy(`newest.review IS 'set_aside', newest.quality DESC, newest.area DESC, newest.id DESC`),
  latest: firstBy('newest.timestamp DESC, newest.id DESC'),
  portrait: sql<
    number | null
  >`(SELECT faces.id FROM faces WHERE faces.id = persons.portrait AND ${sql.raw(OF_THE_PERSON)})`,
}

/** The owner's persons among these ids, by descending id. */
export const countedPersons = (
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<CountedPerson[]> =>
  database
    .select(COLUMNS)
    .from(persons)
    .where(and(eq(persons.owner, owner), inArray(persons.id, [...ids])))
    .orderBy(desc(persons.id))

/**
 * One page of the owner's persons by descending id, and whether there are persons with higher and lower ids. `meta` selects persons
 * with exactly this meta. `name` selects persons with its words in their names. `named` selects persons with or without a name.
 */
export async function personPage(
  database: Database,
  owner: string,
  request: PageBounds & Pick<FaceFilter, 'meta'> & { name?: string; named?: boolean },
): Promise<{ persons: CountedPerson[]; newer: boolean; older: boolean }> {
  const { meta, name, named, maxId, minId, limit } = request
  if ((name ?? named) !== undefined) await fillFoldedNames(database, owner)
  const listed = and(
    eq(persons.owner, owner),
    meta === undefined ? undefined : eq(persons.meta, meta),
    name === undefined ? undefined : nameContains(name),
    named === undefined ? undefined : (named ? ne : eq)(persons.nameFolded, ''),
  )
  const select = (where: SQL | undefined, most: number, ...order: SQL[]) =>
    database
      .select(COLUMNS)
      .from(persons)
      .where(and(listed, where))
      .orderBy(...order)
      .limit(most)
  const { rows, ...others } = await pageOf(persons.id, { maxId, minId, limit }, person => person.id, select)
  return { persons: rows, ...others }
}

/** Persons of the owner's faces among these ids. Faces without a person are left out. */
export async function personsByFace(
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await database
    .select({ id: faces.id, personId: faces.personId })
    .from(faces)
    .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids])))
  return new Map(rows.flatMap(({ id, personId }) => (typeof personId === 'number' ? [[id, personId]] : [])))
}

/** Faces whose photos one statement looks up. */
const FACES_PER_STATEMENT = 250

/**
 * The persons, among these, that are on one photo with a person, in a separate box (areOtherFaces). Overlapping boxes show one
 * face, enrolled twice.
 */
export async function personsOnSamePhotos(
  database: Database,
  owner: string,
  person: number,
  others: readonly number[],
): Promise<number[]> {
  const list = sql.join(
    others.map(id => sql`${String(id)}`),
    sql`, `,
  )
  const found = new Set<number>()
  // A person can have 100,000 faces. Other requests are served between the statements.
  for (let above = -1; ; await environment.turn()) {
    const ids = await nextFaceIds(database, owner, { person }, above, FACES_PER_STATEMENT)
    const rows = await database.all<{ person: string }>(sql`
    SELECT DISTINCT faces.person_id AS person FROM faces photos CROSS JOIN faces
    WHERE photos.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      AND faces.owner = ${owner} AND faces.photo_hash = photos.photo_hash AND faces.person_id IN (${list})
      AND ${areOtherFaces(faces, { x1: sql`photos.x1`, y1: sql`photos.y1`, x2: sql`photos.x2`, y2: sql`photos.y2` })}`)
    for (const row of rows) found.add(Number(row.person))
    if (ids.length < FACES_PER_STATEMENT) return [...found]
    above = ids.at(-1)!
  }
}
