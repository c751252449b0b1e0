/** All queries on persons. Each takes the owner and sees only that owner's persons. */
import { and, asc, eq, exists, gt, inArray, not, sql } from 'drizzle-orm'
import type { Database } from '../../database.ts'
import { faces, owners, persons } from '../../schema.ts'

export type StoredPerson = typeof persons.$inferSelect

export async function personById(
  database: Database,
  owner: string,
  id: number,
): Promise<StoredPerson | undefined> {
  const [person] = await database
    .select()
    .from(persons)
    .where(and(eq(persons.owner, owner), eq(persons.id, id)))
  return person
}

/** Deletes these persons, or only those of them without faces. Returns how many were deleted. Their ids are not used again. */
export async function deletePersons(
  database: Database,
  owner: string,
  ids: readonly number[],
  { onlyFaceless = false } = {},
): Promise<number> {
  const theirs = database
    .select({ id: faces.id })
    .from(faces)
    .where(and(eq(faces.owner, owner), sql`${faces.personId} = CAST(${persons.id} AS TEXT)`))
  const [, { rowsAffected }] = await database.batch([
    retirePersonIds(database, owner),
    database
      .delete(persons)
      .where(
        and(
          eq(persons.owner, owner),
          inArray(persons.id, [...ids]),
          onlyFaceless ? not(exists(theirs)) : undefined,
        ),
      ),
  ])
  return rowsAffected
}

/** Statement before a deletion of persons: new persons will get ids above those of all present ones. */
export const retirePersonIds = (database: Database, owner: string) =>
  database
    .update(owners)
    .set({
      lastPerson: sql`max(${owners.lastPerson}, coalesce((SELECT max(persons.id) FROM persons WHERE persons.owner = owners.id), 0))`,
    })
    .where(eq(owners.id, owner))

/** The next persons of an owner above an id, ascending. */
export const nextPersons = (
  database: Database,
  owner: string,
  above: number,
  limit: number,
): Promise<StoredPerson[]> =>
  database
    .select()
    .from(persons)
    .where(and(eq(persons.owner, owner), gt(persons.id, above)))
    .orderBy(asc(persons.id))
    .limit(limit)

/** The highest id that a person of the owner has or had; 0 when there was none. */
export async function highestPersonId(database: Database, owner: string): Promise<number> {
  const [row] = await database
    .select({
      highest: sql<number>`max(owners.last_person, coalesce((SELECT max(persons.id) FROM persons WHERE persons.owner = owners.id), 0))`,
    })
    .from(owners)
    .where(eq(owners.id, owner))
  return row?.highest ?? 0
}

/** Statement that creates these persons. Persons whose id exists stay unchanged. */
export const insertPersons = (database: Database, people: readonly StoredPerson[]) =>
  database
    .insert(persons)
    .values([...people])
    .onConflictDoNothing()
