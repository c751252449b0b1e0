/** Notes of what is under way: all queries on them. */
import { and, asc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { FaceKeys } from './faces.ts'
import { faces, unsettled } from './schema.ts'

export type Note = typeof unsettled.$inferSelect

/** What notes are of: one enrolment, change or deletion. */
export interface Work {
  /** A UUID. */
  id: string
  /** Unix milliseconds. */
  since: number
}

/** The statement that notes these faces; `galleries` are those to look at besides `default`. */
export const insertNotes = (database: Database, { id: work, since }: Work, keys: readonly FaceKeys[]) =>
  database
    .insert(unsettled)
    .values(keys.map(({ owner, id: face, galleries }) => ({ work, owner, face, galleries, since })))

/** The statement that notes the faces of which this is true, with all their named galleries. */
export const noteFacesWhere = (database: Database, { id, since }: Work, where: SQL | undefined) =>
  database.insert(unsettled).select(
    database
      .select({
        id: sql`NULL`.as('id'),
        work: sql`${id}`.as('work'),
        owner: faces.owner,
        face: sql`${faces.id}`.as('face'),
        // Named in full: of columns that are selected, drizzle leaves out the table.
        galleries: sql`(
          SELECT json_group_array(memberships.gallery) FROM memberships
          WHERE memberships.owner = faces.owner AND memberships.face = faces.id
        )`.as('galleries'),
        since: sql`${since}`.as('since'),
      })
      .from(faces)
      .where(where),
  )

/** The statement that forgets all notes of a work. */
export const deleteNotesOf = (database: Database, { id }: Work) =>
  database.delete(unsettled).where(eq(unsettled.work, id))

export async function deleteNotes(database: Database, notes: readonly Note[]): Promise<void> {
  const ids = notes.map(({ id }) => id)
  await database.delete(unsettled).where(inArray(unsettled.id, ids))
}

/** Some notes of a work. */
export const notesOf = (database: Database, { id }: Work, limit: number): Promise<Note[]> =>
  database.select().from(unsettled).where(eq(unsettled.work, id)).limit(limit)

/** The next notes above an id that are from before a time (Unix milliseconds), by rising id. */
export const nextNotes = (
  database: Database,
  above: number,
  before: number,
  limit: number,
): Promise<Note[]> =>
  database
    .select()
    .from(unsettled)
    .where(and(gt(unsettled.id, above), lt(unsettled.since, before)))
    .orderBy(asc(unsettled.id))
    .limit(limit)
