/** All queries on persons, and the transactions that change them. Each takes the owner and sees only that owner's persons. */
import { and, asc, eq, exists, gt, inArray, ne, not, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { advance, detectConcurrentChange } from '../revisions.ts'
import { faces, owners, persons } from '../schema.ts'
import { excludeFaces, mergeExclusions } from './person-templates.ts'
import { mergeConditions, mergeDeliveries, moveDeliveries } from './rules.ts'

export type StoredPerson = typeof persons.$inferSelect

/** The owner's persons among these ids. */
export const personsById = (
  database: Database,
  owner: string,
  ids: readonly number[],
): Promise<StoredPerson[]> =>
  database
    .select()
    .from(persons)
    .where(and(eq(persons.owner, owner), inArray(persons.id, [...ids])))

export async function personById(
  database: Database,
  owner: string,
  id: number,
): Promise<StoredPerson | undefined> {
  const [person] = await personsById(database, owner, [id])
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

/** The owner's revision, which advances, when several cores share the database. */
type Revision = number | undefined

const guard = (database: Database, owner: string, revision: Revision) =>
  revision === undefined ? [] : [advance(database, owner, revision)]

const isPerson = ({ owner, id }: { owner: string; id: number }): SQL | undefined =>
  and(eq(persons.owner, owner), eq(persons.id, id))

/** Changes a person's meta, and with `withFaces` that of their faces. Returns the number of faces; undefined for an unknown person. */
export async function commitPersonMeta(
  database: Database,
  { owner, id, meta }: StoredPerson,
  withFaces: boolean,
  revision: Revision,
): Promise<number | undefined> {
  const theirs = and(eq(faces.owner, owner), eq(faces.personId, id), ne(faces.meta, meta))
  const [person, changed] = await detectConcurrentChange(() =>
    database.batch([
      database.update(persons).set({ meta }).where(isPerson({ owner, id })),
      database
        .update(faces)
        .set({ meta })
        .where(withFaces ? theirs : sql`${theirs} AND false`),
      ...guard(database, owner, revision),
    ]),
  )
  return person.rowsAffected === 0 ? undefined : changed.rowsAffected
}

/**
 * Moves the faces of `others` to the person `id`, and deletes `others`. Returns the number of moved faces; undefined when one of
 * the persons does not exist.
 */
export async function commitMerge(
  database: Database,
  { owner, id, others }: { owner: string; id: number; others: readonly number[] },
  revision: Revision,
): Promise<number | undefined> {
  const list = sql.join(
    others.map(other => sql`${other}`),
    sql`, `,
  )
  // SQLite evaluates this once for each statement, before the first change.
  const allExist = sql`${others.length + 1} = (
    SELECT count(*) FROM persons existing WHERE existing.owner = ${owner} AND existing.id IN (${id}, ${list})
  )`
  const [, moved, , , , , merged] = await detectConcurrentChange(() =>
    database.batch([
      retirePersonIds(database, owner),
      database
        .update(faces)
        .set({ personId: id })
        .where(and(eq(faces.owner, owner), inArray(faces.personId, [...others]), allExist)),
      mergeDeliveries(database, owner, { id, others, allExist }),
      mergeConditions(database, owner, { id, others, allExist }),
      ...mergeExclusions(database, { owner, id, others, allExist }),
      database
        .delete(persons)
        .where(and(eq(persons.owner, owner), inArray(persons.id, [...others]), allExist)),
      ...guard(database, owner, revision),
    ]),
  )
  return merged.rowsAffected === 0 ? undefined : moved.rowsAffected
}

/** Creates a person, and moves these faces of another person to it. They are not of that person from now on. */
export async function commitSplit(
  database: Database,
  { person, from, ids }: { person: StoredPerson; from: number; ids: readonly number[] },
  revision: Revision,
): Promise<void> {
  const { owner } = person
  await detectConcurrentChange(() =>
    database.batch([
      insertPersons(database, [person]),
      database
        .update(faces)
        .set({ personId: person.id })
        .where(and(eq(faces.owner, owner), inArray(faces.id, [...ids]), eq(faces.personId, from))),
      moveDeliveries(database, owner, ids),
      excludeFaces(database, { owner, faces: ids, person: from }),
      ...guard(database, owner, revision),
    ]),
  )
}
