/** All queries on owners. */
import { and, asc, count, eq, exists, inArray, isNull, not, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faceCounts } from '../faces/faces.ts'
import { type IntentOperation, insertIntentsWhere } from '../faces/intents.ts'
import { faces, intents, owners } from '../schema.ts'
import { tokens } from './schema.ts'

type NewOwner = typeof owners.$inferInsert

/** Condition: the owner is not being deleted. */
export const OWNER_NOT_DELETED = eq(owners.deleting, false)

/** The owner of this name; `candidate` is inserted when there is none. */
export async function ownerNamed(database: Database, candidate: NewOwner): Promise<NewOwner> {
  await database.insert(owners).values(candidate).onConflictDoNothing({ target: owners.name })
  const [owner] = await database.select().from(owners).where(eq(owners.name, candidate.name))
  return owner ?? candidate
}

/** Id of the owner of this name, or of the only owner. Undefined when there is none, or more than one. */
export async function ownerFor(database: Database, name?: string): Promise<string | undefined> {
  const rows = await database
    .select({ id: owners.id })
    .from(owners)
    .where(and(OWNER_NOT_DELETED, name === undefined ? undefined : eq(owners.name, name)))
    .limit(2)
  return rows.length === 1 ? rows[0]!.id : undefined
}

/** Ids of all owners. */
export async function ownerIds(database: Database): Promise<string[]> {
  const rows = await database.select({ id: owners.id }).from(owners)
  return rows.map(({ id }) => id)
}

/** Names of the owners that are not being deleted. */
export async function ownerNames(database: Database): Promise<string[]> {
  const rows = await database
    .select({ name: owners.name })
    .from(owners)
    .where(OWNER_NOT_DELETED)
    .orderBy(asc(owners.name))
  return rows.map(({ name }) => name)
}

export const hasSeveralOwners = async (database: Database): Promise<boolean> =>
  (await ownerNames(database)).length > 1

/** All owners by name, with the numbers of their tokens and faces. */
export async function allOwners(database: Database) {
  const tokensOf = await database
    .select({ owner: tokens.owner, tokens: count() })
    .from(tokens)
    .where(isNull(tokens.user))
    .groupBy(tokens.owner)
  const facesOf = await faceCounts(database)
  const rows = await database.select().from(owners).orderBy(asc(owners.name))
  return rows.map(({ id, name, created, deleting }) => ({
    id,
    name,
    created,
    deleting,
    tokens: tokensOf.find(({ owner }) => owner === id)?.tokens ?? 0,
    faces: facesOf.find(({ owner }) => owner === id)?.faces ?? 0,
  }))
}

/** Days after which the owner's faces in no named gallery and of no camera are deleted; null for never. */
export async function ownerRetention(database: Database, owner: string): Promise<number | null> {
  const [row] = await database
    .select({ retentionDays: owners.retentionDays })
    .from(owners)
    .where(eq(owners.id, owner))
  return row?.retentionDays ?? null
}

export async function setOwnerRetention(
  database: Database,
  owner: string,
  retentionDays: number | null,
): Promise<void> {
  await database.update(owners).set({ retentionDays }).where(eq(owners.id, owner))
}

/**
 * Marks the owner with this name or id as being deleted: its tokens become invalid, and the name becomes free. Returns its id;
 * undefined for an unknown owner.
 */
export async function markOwnerDeleted(
  database: Database,
  value: string,
  key: 'name' | 'id' = 'name',
): Promise<string | undefined> {
  const [owner] = await database
    .update(owners)
    .set({ deleting: true, name: sql`'going ' || ${owners.id}` })
    .where(and(eq(owners[key], value), OWNER_NOT_DELETED))
    .returning({ id: owners.id })
  return owner?.id
}

/** Ids of the owners that are being deleted. */
export async function deletedOwners(database: Database): Promise<string[]> {
  const rows = await database.select({ id: owners.id }).from(owners).where(eq(owners.deleting, true))
  return rows.map(({ id }) => id)
}

/** Deletes at most `limit` faces of an owner that is being deleted, each with an intent. Returns their ids. */
export async function deleteSomeOfOwner(
  database: Database,
  work: IntentOperation,
  owner: string,
  limit: number,
): Promise<number[]> {
  const beingDeleted = database
    .select({ id: owners.id })
    .from(owners)
    .where(and(eq(owners.id, owner), eq(owners.deleting, true)))
  const some = database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), inArray(faces.owner, beingDeleted)))
    .orderBy(asc(faces.id))
    .limit(limit)
  const where = and(eq(faces.owner, owner), inArray(faces.id, some))
  const [, deleted] = await database.batch([
    insertIntentsWhere(database, work, where),
    database.delete(faces).where(where).returning({ id: faces.id }),
  ])
  return deleted.map(({ id }) => id)
}

/**
 * Deletes an owner that is being deleted, with everything that is left. False while faces or intents of the owner
 * exist.
 */
export async function deleteOwner(database: Database, owner: string): Promise<boolean> {
  const theirFaces = database.select({ id: faces.id }).from(faces).where(eq(faces.owner, owner))
  const theirIntents = database.select({ id: intents.id }).from(intents).where(eq(intents.owner, owner))
  const { rowsAffected } = await database
    .delete(owners)
    .where(
      and(
        eq(owners.id, owner),
        eq(owners.deleting, true),
        not(exists(theirFaces)),
        not(exists(theirIntents)),
      ),
    )
  return rowsAffected > 0
}
