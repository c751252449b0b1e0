/** Owners: all queries on them. */
import { and, asc, count, eq, exists, inArray, not } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces, intents, owners, tokens } from '../schema.ts'
import { type IntentWork, insertIntentsWhere } from './intents.ts'

export type NewOwner = typeof owners.$inferInsert

/** What an owner that is being deleted is not. */
export const OWNER_STAYS = eq(owners.going, false)

/** The owner of this name; `candidate` becomes it when there is none yet. */
export async function ownerNamed(database: Database, candidate: NewOwner): Promise<NewOwner> {
  await database.insert(owners).values(candidate).onConflictDoNothing({ target: owners.name })
  const [owner] = await database.select().from(owners).where(eq(owners.name, candidate.name))
  return owner ?? candidate
}

/** Every owner by name, with what they have. */
export async function allOwners(database: Database) {
  const tokensOf = await database
    .select({ owner: tokens.owner, tokens: count() })
    .from(tokens)
    .groupBy(tokens.owner)
  const photoAnalyzer = await database
    .select({ owner: faces.owner, faces: count() })
    .from(faces)
    .groupBy(faces.owner)
  const rows = await database.select().from(owners).orderBy(asc(owners.name))
  return rows.map(({ id, name, created, going }) => ({
    id,
    name,
    created,
    going,
    tokens: tokensOf.find(({ owner }) => owner === id)?.tokens ?? 0,
    faces: photoAnalyzer.find(({ owner }) => owner === id)?.faces ?? 0,
  }))
}

/** Days after which faces in no named gallery and of no camera are deleted; null for never. */
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
 * Gives an owner up: their tokens are valid no more, and the name is free. Answers with their id; undefined when nobody
 * has this name.
 */
export async function giveUpOwner(database: Database, name: string): Promise<string | undefined> {
  const [owner] = await database
    .select()
    .from(owners)
    .where(and(eq(owners.name, name), OWNER_STAYS))
  return owner && (await giveUpOwnerOf(database, owner.id)) ? owner.id : undefined
}

/** The same by the owner's id. False when there is no such owner. */
export async function giveUpOwnerOf(database: Database, id: string): Promise<boolean> {
  const { rowsAffected } = await database
    .update(owners)
    .set({ going: true, name: `going ${id}` })
    .where(and(eq(owners.id, id), OWNER_STAYS))
  return rowsAffected > 0
}

/** Ids of the owners that were given up and still have something. */
export async function goingOwners(database: Database): Promise<string[]> {
  const rows = await database.select({ id: owners.id }).from(owners).where(eq(owners.going, true))
  return rows.map(({ id }) => id)
}

/** Deletes at most so many faces of an owner that is going, each with a note; their ids. */
export async function deleteSomeOfOwner(
  database: Database,
  work: IntentWork,
  owner: string,
  limit: number,
): Promise<number[]> {
  const going = database
    .select({ id: owners.id })
    .from(owners)
    .where(and(eq(owners.id, owner), eq(owners.going, true)))
  const some = database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), inArray(faces.owner, going)))
    .orderBy(asc(faces.id))
    .limit(limit)
  const where = and(eq(faces.owner, owner), inArray(faces.id, some))
  const [, deleted] = await database.batch([
    insertIntentsWhere(database, work, where),
    database.delete(faces).where(where).returning({ id: faces.id }),
  ])
  return deleted.map(({ id }) => id)
}

/** Deletes an owner that is going with all that is left, once there are no faces and nothing of them is noted. False before. */
export async function deleteOwner(database: Database, owner: string): Promise<boolean> {
  const theirFaces = database.select({ id: faces.id }).from(faces).where(eq(faces.owner, owner))
  const notes = database.select({ id: intents.id }).from(intents).where(eq(intents.owner, owner))
  const { rowsAffected } = await database
    .delete(owners)
    .where(and(eq(owners.id, owner), eq(owners.going, true), not(exists(theirFaces)), not(exists(notes))))
  return rowsAffected > 0
}
