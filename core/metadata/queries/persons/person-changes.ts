/** Transactions that change persons. Each takes the owner, and changes everything or nothing. */
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../database.ts'
import { advance, detectConcurrentChange } from '../../revisions.ts'
import { faces, persons } from '../../schema.ts'
import { mergeConditions, mergeDeliveries, moveDeliveries } from '../alerts/persons.ts'
import { insertPersons, retirePersonIds, type StoredPerson } from './persons.ts'

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
  const [, moved, , , merged] = await detectConcurrentChange(() =>
    database.batch([
      retirePersonIds(database, owner),
      database
        .update(faces)
        .set({ personId: id })
        .where(and(eq(faces.owner, owner), inArray(faces.personId, [...others]), allExist)),
      mergeDeliveries(database, owner, { id, others, allExist }),
      mergeConditions(database, owner, { id, others, allExist }),
      database
        .delete(persons)
        .where(and(eq(persons.owner, owner), inArray(persons.id, [...others]), allExist)),
      ...guard(database, owner, revision),
    ]),
  )
  return merged.rowsAffected === 0 ? undefined : moved.rowsAffected
}

/** Creates a person, and moves these faces of another person to it. */
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
      ...guard(database, owner, revision),
    ]),
  )
}
