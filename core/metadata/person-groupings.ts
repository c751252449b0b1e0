/** All queries on the grouping of stored faces to persons: its position, what it made, and the way back. */
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, max, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { groupedFaces, groupedPersons, personGroupings } from './person-schema.ts'
import type { FaceRow } from './queries/faces.ts'
import { IN_USE } from './queries/false-alarms.ts'
import { deleteFacelessPersons, insertPersons, type StoredPerson } from './queries/persons.ts'
import { moveDeliveries } from './queries/rules.ts'
import { advance, detectConcurrentChange } from './revisions.ts'
import { faces } from './schema.ts'

export type Grouping = typeof personGroupings.$inferSelect

export async function groupingOf(database: Database, owner: string): Promise<Grouping | undefined> {
  const [row] = await database.select().from(personGroupings).where(eq(personGroupings.owner, owner))
  return row
}

/** Owners whose grouping, or its way back, is in progress. */
export async function groupingOwners(database: Database): Promise<string[]> {
  const rows = await database
    .select({ owner: personGroupings.owner })
    .from(personGroupings)
    .where(inArray(personGroupings.state, ['running', 'undoing']))
  return rows.map(({ owner }) => owner)
}

/** Statement that creates or replaces the state of a grouping. */
const storeGrouping = (database: Database, grouping: Grouping) =>
  database
    .insert(personGroupings)
    .values(grouping)
    .onConflictDoUpdate({ target: personGroupings.owner, set: grouping })

/** The number of an owner's faces without a person above an id, and the greatest id of a face. Reads indexes only. */
export async function facesToGroup(
  database: Database,
  owner: string,
  above: number,
): Promise<{ faces: number; last: number }> {
  const isAbove = and(eq(faces.owner, owner), gt(faces.id, above))
  const [all] = await database
    .select({ faces: count(), last: max(faces.id) })
    .from(faces)
    .where(isAbove)
  const [assigned] = await database
    .select({ faces: count() })
    .from(faces)
    .where(and(isAbove, isNotNull(faces.personId)))
  return { faces: (all?.faces ?? 0) - (assigned?.faces ?? 0), last: all?.last ?? -1 }
}

/** The next face without a person, and not set aside; undefined at the end. */
export async function nextToGroup(
  database: Database,
  { owner, position, last }: Grouping,
): Promise<FaceRow | undefined> {
  const [face] = await database
    .select()
    .from(faces)
    .where(
      and(
        eq(faces.owner, owner),
        gt(faces.id, position),
        lte(faces.id, last),
        isNull(faces.personId),
        IN_USE,
      ),
    )
    .orderBy(asc(faces.id))
    .limit(1)
  return face
}

/** The rows of the owner's faces among these ids, in no order. */
export const faceRows = (database: Database, owner: string, ids: readonly number[]): Promise<FaceRow[]> =>
  database
    .select()
    .from(faces)
    .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids])))

/** One step of a grouping. */
export interface GroupingStep {
  /** The state after the step. */
  grouping: Grouping
  /** The face that gets a person, with it. `name` is that of the person, for a face without a meta. */
  face?: (FaceRow & { name: string }) | undefined
  /** Persons that are created. */
  persons?: readonly StoredPerson[]
  /** The owner's revision, which advances, when several cores share the database. */
  revision: number | undefined
}

/** Commits a step, or a new state, all or nothing. Rejects with ConcurrentChange, and for a face that was deleted meanwhile. */
export async function commitGroupingStep(
  database: Database,
  { grouping, face, persons = [], revision }: GroupingStep,
): Promise<void> {
  const { owner } = grouping
  const made = persons.map(({ id }) => ({ owner, person: id }))
  await detectConcurrentChange(() =>
    database.batch([
      storeGrouping(database, grouping),
      // Before the others, which break a constraint when another core was faster.
      ...(revision === undefined ? [] : [advance(database, owner, revision)]),
      ...(persons.length > 0
        ? [insertPersons(database, persons), database.insert(groupedPersons).values(made)]
        : []),
      ...(face && typeof face.personId === 'number'
        ? [
            database
              .update(faces)
              .set({ personId: face.personId, meta: face.meta || face.name })
              .where(and(eq(faces.owner, owner), eq(faces.id, face.id))),
            database.insert(groupedFaces).values({
              ...{ owner, face: face.id, person: face.personId },
              named: face.meta === '' && face.name !== '',
            }),
            moveDeliveries(database, owner, [face.id]),
          ]
        : []),
    ]),
  )
}

/** Takes the persons away from at most `limit` faces that got them by groupings. Returns the number of these faces. */
export async function takeBackFaces(
  database: Database,
  owner: string,
  limit: number,
  revision: number | undefined,
): Promise<number> {
  const rows = await database
    .select({ face: groupedFaces.face })
    .from(groupedFaces)
    .where(eq(groupedFaces.owner, owner))
    .limit(limit)
  const ids = rows.map(({ face }) => face)
  const hasNameOfPerson = sql`EXISTS (
    SELECT 1 FROM grouped_faces JOIN persons ON persons.owner = grouped_faces.owner AND persons.id = grouped_faces.person
    WHERE grouped_faces.face = faces.id AND grouped_faces.named AND persons.meta = faces.meta
  )`
  const isAsGrouped = sql`${faces.personId} = (
    SELECT CAST(grouped_faces.person AS TEXT) FROM grouped_faces WHERE grouped_faces.face = faces.id
  )`
  await detectConcurrentChange(() =>
    database.batch([
      database
        .update(faces)
        .set({
          personId: null,
          confirmed: false,
          meta: sql`CASE WHEN ${hasNameOfPerson} THEN '' ELSE meta END`,
        })
        .where(and(eq(faces.owner, owner), inArray(faces.id, ids), isAsGrouped)),
      database.delete(groupedFaces).where(inArray(groupedFaces.face, ids)),
      moveDeliveries(database, owner, ids),
      ...(revision === undefined ? [] : [advance(database, owner, revision)]),
    ]),
  )
  return ids.length
}

/** Deletes those without faces of at most `limit` persons that groupings made. Returns how many it looked at. */
export async function takeBackPersons(database: Database, owner: string, limit: number): Promise<number> {
  const rows = await database
    .select({ person: groupedPersons.person })
    .from(groupedPersons)
    .where(eq(groupedPersons.owner, owner))
    .limit(limit)
  const made = rows.map(({ person }) => person)
  await deleteFacelessPersons(database, owner, made)
  await database
    .delete(groupedPersons)
    .where(and(eq(groupedPersons.owner, owner), inArray(groupedPersons.person, made)))
  return made.length
}

/** Ends an undo. */
export async function forgetGrouping(database: Database, owner: string): Promise<void> {
  await database
    .delete(personGroupings)
    .where(and(eq(personGroupings.owner, owner), eq(personGroupings.state, 'undoing')))
}
