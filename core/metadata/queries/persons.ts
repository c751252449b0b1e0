/** All queries on persons. Each takes the owner and sees only that owner's persons. */
import { and, asc, eq, exists, gt, inArray, max, not, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces, persons } from '../schema.ts'

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

/** Deletes these persons, or only those of them without faces. Returns how many were deleted. */
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
  const { rowsAffected } = await database
    .delete(persons)
    .where(
      and(
        eq(persons.owner, owner),
        inArray(persons.id, [...ids]),
        onlyFaceless ? not(exists(theirs)) : undefined,
      ),
    )
  return rowsAffected
}

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

/** The highest id of a person of the owner; 0 when there is none. */
export async function highestPersonId(database: Database, owner: string): Promise<number> {
  const [row] = await database
    .select({ highest: max(persons.id) })
    .from(persons)
    .where(eq(persons.owner, owner))
  return row?.highest ?? 0
}

/** Statement that creates these persons. Persons whose id exists stay unchanged. */
export const insertPersons = (database: Database, people: readonly StoredPerson[]) =>
  database
    .insert(persons)
    .values([...people])
    .onConflictDoNothing()
