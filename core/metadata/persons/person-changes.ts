/**
 * All queries on changes of persons that take several transactions. Each is recorded before its first one and until it is whole: a crash
 * leaves a record, and reconciliation completes the change.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { type IntentOperation, isOfNoOtherCore } from '../faces/intents.ts'
import { detectConcurrentChange, guardRevision } from '../revisions.ts'
import { persons } from '../schema.ts'
import { type PersonChange, personChanges } from './schema.ts'

export type RecordedChange<Change = PersonChange> = {
  operation: string
  owner: string
  person: number
  change: Change
}

/** Records a change. False for an unknown person. Rejects with ConcurrentChange. */
export async function recordPersonChange(
  database: Database,
  { operation, owner, person, change }: RecordedChange,
  core: IntentOperation['core'],
  revision: number | undefined,
): Promise<boolean> {
  const known = database
    .select({
      operation: sql`${operation}`.as('operation'),
      core: sql`${core ?? null}`.as('core'),
      owner: persons.owner,
      person: persons.id,
      change: sql`${JSON.stringify(change)}`.as('change'),
    })
    .from(persons)
    .where(and(eq(persons.owner, owner), eq(persons.id, person)))
  const [{ rowsAffected }] = await detectConcurrentChange(() =>
    database.batch([
      database.insert(personChanges).select(known),
      ...guardRevision(database, owner, revision),
    ]),
  )
  return rowsAffected > 0
}

/** Statement that ends a change. */
export const endPersonChange = (
  database: Database,
  { owner, operation }: Pick<RecordedChange, 'owner' | 'operation'>,
) =>
  database
    .delete(personChanges)
    .where(and(eq(personChanges.owner, owner), eq(personChanges.operation, operation)))

/** Whether another core has not completed this change. */
export async function isRecorded(
  database: Database,
  { owner, operation }: Pick<RecordedChange, 'owner' | 'operation'>,
): Promise<boolean> {
  const found = and(eq(personChanges.owner, owner), eq(personChanges.operation, operation))
  return (await database.$count(personChanges, found)) > 0
}

/** The owner's persons whose changes, or changes of this kind, are not complete. */
export async function changingPersons(
  database: Database,
  owner: string,
  kind?: PersonChange['kind'],
): Promise<Set<number>> {
  const ofKind = kind && sql`${personChanges.change} ->> 'kind' = ${kind}`
  const rows = await database
    .select()
    .from(personChanges)
    .where(and(eq(personChanges.owner, owner), ofKind))
  return new Set(
    rows.flatMap(({ person, change }) => [person, ...(change.kind === 'merge' ? change.others : [])]),
  )
}

/** Changes that no other living core makes. `core` is the calling core, when several share the database. */
export const abandonedChanges = (database: Database, core: string | undefined): Promise<RecordedChange[]> =>
  database
    .select()
    .from(personChanges)
    .where(core === undefined ? undefined : isOfNoOtherCore(database, personChanges.core, core))
