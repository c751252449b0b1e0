/**
 * Revisions of owners: what one core decided by what it had read is done only if no other core did its like meanwhile, and
 * what it has noted is still its own. A statement that guards makes its whole transaction fail, by a null where none may be.
 */
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { brokenConstraint } from './connection/constraints.ts'
import type { Database } from './database.ts'
import type { IntentWork } from './queries/intents.ts'
import { intents, owners } from './schema.ts'

/** Another core has changed what this was decided by: it has to be read and decided anew. */
export class ConcurrentChange extends Error {
  override readonly name = 'Overtaken'
}

/** Another core has taken this one for dead, and what it was at for its own to settle. */
export class IntentsTaken extends Error {
  override readonly name = 'IntentsTaken'
}

/** The owner's revision; 0 for one that is gone. */
export async function revisionOf(database: Database, owner: string): Promise<number> {
  const [row] = await database.select({ revision: owners.revision }).from(owners).where(eq(owners.id, owner))
  return row?.revision ?? 0
}

/** Those of several owners. */
export const revisionsOf = (database: Database, ids: readonly string[]) =>
  database
    .select({ owner: owners.id, revision: owners.revision })
    .from(owners)
    .where(inArray(owners.id, [...ids]))

/** The statement that counts the revision up, and fails when it is another one. */
export const advance = (database: Database, owner: string, revision: number) =>
  database
    .update(owners)
    .set({ revision: sql`CASE WHEN ${owners.revision} = ${revision} THEN ${revision + 1} END` })
    .where(eq(owners.id, owner))

/** The statement that changes nothing, and fails unless a work still has all of its notes. */
export const requireIntents = (database: Database, owner: string, { id }: IntentWork, notes: number) => {
  const left = database
    .select({ notes: count() })
    .from(intents)
    .where(and(eq(intents.owner, owner), eq(intents.work, id)))
  return database
    .update(owners)
    .set({ revision: sql`CASE WHEN (${left}) = ${notes} THEN ${owners.revision} END` })
    .where(eq(owners.id, owner))
}

/** Runs a transaction one of whose statements is `advance`: rejects with Overtaken when that failed. */
export async function detectConcurrentChange<Result>(transaction: () => Promise<Result>): Promise<Result> {
  try {
    return await transaction()
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'null') throw new ConcurrentChange(undefined, { cause: error })
    throw error
  }
}
