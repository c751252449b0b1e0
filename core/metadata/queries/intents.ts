/** Notes of what is under way: all queries on them. */
import { and, asc, eq, gt, inArray, isNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { livingIds } from '../connection/cores.ts'
import type { Database } from '../database.ts'
import { faces, intents } from '../schema.ts'
import type { FaceKeys } from './faces.ts'

export type Intent = typeof intents.$inferSelect

/** What notes are of: one enrolment, change or deletion. */
export interface IntentWork {
  /** A UUID. */
  id: string
  /** Unix milliseconds. */
  since: number
  /** The core that is at it, where several share the database. */
  core?: string | null | undefined
}

/** The statement that notes these faces; `galleries` are those to look at besides `default`. */
export const insertIntents = (
  database: Database,
  { id: work, since, core }: IntentWork,
  keys: readonly FaceKeys[],
) =>
  database
    .insert(intents)
    .values(keys.map(({ owner, id: face, galleries }) => ({ work, core, owner, face, galleries, since })))

/**
 * Notes faces that are to come: ids, all of one owner and for the same galleries. False when one of the ids belongs to a
 * face, or is noted: then nothing is, and other ids have to be tried. In one step, so that no two cores take the same.
 */
export async function insertEnrolmentIntents(
  database: Database,
  { id: work, since, core = null }: IntentWork,
  { owner, ids, galleries }: { owner: string; ids: readonly number[]; galleries: readonly string[] },
): Promise<boolean> {
  const list = JSON.stringify(ids)
  const { rowsAffected } = await database.run(sql`
    INSERT INTO unsettled (work, core, owner, face, galleries, since)
    SELECT ${work}, ${core}, ${owner}, value, ${JSON.stringify(galleries)}, ${since} FROM json_each(${list})
    WHERE NOT EXISTS (SELECT 1 FROM faces WHERE faces.id IN (SELECT value FROM json_each(${list})))
      AND NOT EXISTS (SELECT 1 FROM unsettled WHERE unsettled.face IN (SELECT value FROM json_each(${list})))`)
  return rowsAffected > 0
}

/** The statement that notes the faces of which this is true, with all their named galleries. */
export const insertIntentsWhere = (
  database: Database,
  { id, since, core = null }: IntentWork,
  where: SQL | undefined,
) =>
  database.insert(intents).select(
    database
      .select({
        id: sql`NULL`.as('id'),
        work: sql`${id}`.as('work'),
        core: sql`${core}`.as('core'),
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
export const deleteIntentsOfWork = (database: Database, { id }: IntentWork) =>
  database.delete(intents).where(eq(intents.work, id))

/** The statement that forgets these. */
export const deleteIntents = (database: Database, notes: readonly Intent[]) => {
  const ids = notes.map(({ id }) => id)
  return database.delete(intents).where(inArray(intents.id, ids))
}

/** Some notes of a work. */
export const intentsOfWork = (database: Database, { id }: IntentWork, limit: number): Promise<Intent[]> =>
  database.select().from(intents).where(eq(intents.work, id)).limit(limit)

/** Which notes are left over: those from before a time (Unix milliseconds); where several share the database, not those of other living cores. */
export interface IntentFilter {
  before: number
  /** The core that asks. */
  core?: string | null | undefined
}

/** The next notes above an id that are left over, by rising id. */
export const nextIntents = (
  database: Database,
  above: number,
  left: IntentFilter,
  limit: number,
): Promise<Intent[]> =>
  database
    .select()
    .from(intents)
    .where(and(gt(intents.id, above), leftOver(database, left)))
    .orderBy(asc(intents.id))
    .limit(limit)

/** Nobody's notes are of an operator's command, or of before the database was shared. */
function leftOver(database: Database, { before, core }: IntentFilter): SQL | undefined {
  const old = lt(intents.since, before)
  if (!core) return old
  return or(
    and(old, or(isNull(intents.core), eq(intents.core, core))),
    notInArray(intents.core, livingIds(database)),
  )
}

/**
 * Makes these notes part of a work: those that are left as they were read. Whoever was at them before can finish nothing
 * that needs them any more. Answers with them.
 */
export async function takeIntents(
  database: Database,
  { id, core }: IntentWork,
  notes: readonly Intent[],
): Promise<Intent[]> {
  const [first] = notes
  if (!first) return []
  const ids = notes.map(note => note.id)
  return database
    .update(intents)
    .set({ work: id, core })
    .where(and(inArray(intents.id, ids), inArray(intents.work, [...new Set(notes.map(({ work }) => work))])))
    .returning()
}
