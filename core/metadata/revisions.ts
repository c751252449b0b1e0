/**
 * Owner revisions: optimistic concurrency control between cores on one database.
 *
 * A transaction fails when another core has changed the data of the decision, or has taken over the intents of the operation.
 * A guarding statement fails the transaction by a null in a column that allows none.
 */

import { LibsqlError } from '@libsql/client/sqlite3'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { IntentOperation } from './faces/intents.ts'
import { intents, owners } from './schema.ts'

/** Another core has changed the data of a decision. The caller reads and decides again. */
export class ConcurrentChange extends Error {
  override readonly name = 'ConcurrentChange'
}

/** Another core has considered this core dead and has taken over the intents of its operation. */
export class IntentsTaken extends Error {
  override readonly name = 'IntentsTaken'
}

/** The owner's revision; 0 when the owner does not exist. */
export async function revisionOf(database: Database, owner: string): Promise<number> {
  const [row] = await database.select({ revision: owners.revision }).from(owners).where(eq(owners.id, owner))
  return row?.revision ?? 0
}

/** The revisions of several owners. */
export const revisionsOf = (database: Database, ids: readonly string[]) =>
  database
    .select({ owner: owners.id, revision: owners.revision })
    .from(owners)
    .where(inArray(owners.id, [...ids]))

/** Statement that increments the owner's revision, and fails unless it equals `revision`. */
export const advance = (database: Database, owner: string, revision: number) =>
  database
    .update(owners)
    .set({ revision: sql`CASE WHEN ${owners.revision} = ${revision} THEN ${revision + 1} END` })
    .where(eq(owners.id, owner))

/** The statement of `advance`; none without a revision. */
export const guardRevision = (database: Database, owner: string, revision: number | undefined) =>
  revision === undefined ? [] : [advance(database, owner, revision)]

/** Statement that changes nothing, and fails unless the operation still has this number of intents. */
export const requireIntents = (
  database: Database,
  owner: string,
  { id }: IntentOperation,
  intentCount: number,
) => {
  const left = database
    .select({ intentCount: count() })
    .from(intents)
    .where(and(eq(intents.owner, owner), eq(intents.operation, id)))
  return database
    .update(owners)
    .set({ revision: sql`CASE WHEN (${left}) = ${intentCount} THEN ${owners.revision} END` })
    .where(eq(owners.id, owner))
}

/** Runs a transaction that contains `advance`. Rejects with ConcurrentChange when `advance` fails. */
export async function detectConcurrentChange<Result>(transaction: () => Promise<Result>): Promise<Result> {
  try {
    return await transaction()
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'null') throw new ConcurrentChange(undefined, { cause: error })
    throw error
  }
}

/** The violated constraint, and the index of the statement in its batch (0 outside a batch). */
export interface BrokenConstraint {
  kind: 'unique' | 'reference' | 'null'
  statement: number
}

/** A file reports an extended code. A server reports only the primary code, and SQLite's message. */
const CONSTRAINT_KINDS: readonly [BrokenConstraint['kind'], RegExp][] = [
  ['unique', /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$|\bUNIQUE constraint failed\b/],
  ['reference', /^SQLITE_CONSTRAINT_FOREIGNKEY$|\bFOREIGN KEY constraint failed\b/],
  ['null', /^SQLITE_CONSTRAINT_NOTNULL$|\bNOT NULL constraint failed\b/],
]

/** The constraint violation in this error or its causes; undefined when there is none. */
export function brokenConstraint(error: unknown): BrokenConstraint | undefined {
  if (!(error instanceof LibsqlError)) {
    return error instanceof Error && error.cause !== undefined ? brokenConstraint(error.cause) : undefined
  }
  if (!error.code.startsWith('SQLITE_CONSTRAINT')) return undefined
  const text = error.extendedCode ?? error.message
  const kind = CONSTRAINT_KINDS.find(([, pattern]) => pattern.test(text))?.[0]
  return kind && { kind, statement: 'statementIndex' in error ? Number(error.statementIndex) : 0 }
}
