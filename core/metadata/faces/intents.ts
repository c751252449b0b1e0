/** All queries on the intent log: faces of operations in progress. */
import { and, asc, eq, gt, inArray, isNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { outsideChange } from '../connection/change.ts'
import { livingIds } from '../connection/cores.ts'
import type { Database } from '../database.ts'
import { faces, intents } from '../schema.ts'
import type { FaceKeys } from './faces.ts'

export type Intent = typeof intents.$inferSelect

/** The operation that intents belong to: one enrolment, change or deletion. */
export interface IntentOperation {
  /** A UUID. */
  id: string
  /** Start of the operation in Unix milliseconds. */
  since: number
  /** The core that runs the operation, when several share the database. */
  core?: string | null
}

/** Statement that records an intent for each face. Reconciliation covers `galleries` and `default`. */
export const insertIntents = (
  database: Database,
  { id: operation, since, core }: IntentOperation,
  keys: readonly FaceKeys[],
) =>
  database
    .insert(intents)
    .values(
      keys.map(({ owner, id: face, galleries }) => ({ operation, core, owner, face, galleries, since })),
    )

/** Records an intent for each face before anything else is written. Reconciliation covers `galleries` and `default`. */
export const recordIntents = (
  database: Database,
  operation: IntentOperation,
  keys: readonly FaceKeys[],
): Promise<unknown> => outsideChange(() => insertIntents(database, operation, keys))

/**
 * Records intents for new faces, all of one owner and for the same galleries. False when one of the ids belongs to a
 * face or to another intent: nothing is recorded, and the caller tries other ids. One statement prevents two cores from
 * taking the same id.
 */
export async function insertEnrolmentIntents(
  database: Database,
  { id, since, core = null }: IntentOperation,
  { owner, ids, galleries }: { owner: string; ids: readonly number[]; galleries: readonly string[] },
): Promise<boolean> {
  const list = JSON.stringify(ids)
  const insertion = sql`
    INSERT INTO unsettled (work, core, owner, face, galleries, since)
    SELECT ${id}, ${core}, ${owner}, value, ${JSON.stringify(galleries)}, ${since} FROM json_each(${list})
    WHERE NOT EXISTS (SELECT 1 FROM faces WHERE faces.id IN (SELECT value FROM json_each(${list})))
      AND NOT EXISTS (SELECT 1 FROM unsettled WHERE unsettled.face IN (SELECT value FROM json_each(${list})))`
  return (await outsideChange(() => database.run(insertion))).rowsAffected > 0
}

/**
 * Statement that records an intent for each face that meets the condition, with all its named galleries. `persons` are deleted
 * without other faces.
 */
export const insertIntentsWhere = (
  database: Database,
  { id, since, core = null }: IntentOperation,
  where: SQL | undefined,
  persons: readonly number[] = [],
) =>
  database.insert(intents).select(
    database
      .select({
        id: sql`NULL`.as('id'),
        operation: sql`${id}`.as('operation'),
        core: sql`${core}`.as('core'),
        owner: faces.owner,
        face: sql`${faces.id}`.as('face'),
        // Named in full: drizzle leaves out the table of selected columns.
        galleries: sql`(
          SELECT json_group_array(memberships.gallery) FROM memberships WHERE memberships.face = faces.id
        )`.as('galleries'),
        person: sql`(
          SELECT value FROM json_each(${JSON.stringify(persons)}) WHERE faces.person_id = CAST(value AS TEXT)
        )`.as('person'),
        since: sql`${since}`.as('since'),
      })
      .from(faces)
      .where(where),
  )

/** Statement that deletes all intents of an operation. */
export const deleteIntentsOfWork = (database: Database, { id }: IntentOperation) =>
  database.delete(intents).where(eq(intents.operation, id))

/** Statement that deletes these intents. */
export const deleteIntents = (database: Database, entries: readonly Intent[]) => {
  const ids = entries.map(({ id }) => id)
  return database.delete(intents).where(inArray(intents.id, ids))
}

/** At most `limit` intents of an operation. */
export const intentsOfWork = (
  database: Database,
  { id }: IntentOperation,
  limit: number,
): Promise<Intent[]> => database.select().from(intents).where(eq(intents.operation, id)).limit(limit)

/**
 * Selects abandoned intents: those from before `before` (Unix milliseconds). On a shared database, it excludes intents
 * of other living cores, and includes all intents of dead ones.
 */
interface IntentFilter {
  before: number
  /** The calling core. */
  core?: string | null
}

/** The next abandoned intents above an id, ascending. */
export const nextIntents = (
  database: Database,
  above: number,
  filter: IntentFilter,
  limit: number,
): Promise<Intent[]> =>
  database
    .select()
    .from(intents)
    .where(and(gt(intents.id, above), isAbandoned(database, filter)))
    .orderBy(asc(intents.id))
    .limit(limit)

/** Intents without a core are of an operator's command, or from before the database was shared. */
function isAbandoned(database: Database, { before, core }: IntentFilter): SQL | undefined {
  const old = lt(intents.since, before)
  if (!core) return old
  return or(
    and(old, or(isNull(intents.core), eq(intents.core, core))),
    notInArray(intents.core, livingIds(database)),
  )
}

/** Condition: `column` names no other living core. */
export const isOfNoOtherCore = (database: Database, column: AnySQLiteColumn, core: string): SQL | undefined =>
  or(isNull(column), eq(column, core), notInArray(column, livingIds(database)))

/**
 * Transfers these intents to another operation, except intents that have changed since they were read. The previous
 * operation can commit nothing that requires them. Returns the transferred intents.
 */
export async function takeIntents(
  database: Database,
  { id, core }: IntentOperation,
  entries: readonly Intent[],
): Promise<Intent[]> {
  const [first] = entries
  if (!first) return []
  const ids = entries.map(intent => intent.id)
  return database
    .update(intents)
    .set({ operation: id, core })
    .where(
      and(
        inArray(intents.id, ids),
        inArray(intents.operation, [...new Set(entries.map(({ operation }) => operation))]),
      ),
    )
    .returning()
}
