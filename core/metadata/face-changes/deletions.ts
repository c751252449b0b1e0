/** Transactions that delete faces and record an intent for each, to delete its vectors and pictures afterwards. */
import { and, asc, eq, exists, inArray, not } from 'drizzle-orm'
import { forgetInConditions } from '../alerts/rules.ts'
import type { Database } from '../database.ts'
import { type FaceFilter, filterOf } from '../faces/faces.ts'
import { type IntentOperation, insertIntentsWhere } from '../faces/intents.ts'
import { facelessDeletion, forgetCandidates, retirePersonIds } from '../persons/persons.ts'
import { detectConcurrentChange, guardRevision } from '../revisions.ts'
import { faces, galleries, memberships, persons } from '../schema.ts'

/**
 * Deletes the owner's faces that match the filter, then each of `persons` that has no faces left. Returns the ids of the faces.
 * `revision` is given when data that other cores can change decided the deletion: the owner's revision advances, and the call
 * rejects with ConcurrentChange when it has changed.
 */
export async function deleteFaces(
  database: Database,
  work: IntentOperation,
  owner: string,
  filter: FaceFilter,
  { persons = [], revision }: { persons?: readonly number[]; revision?: number } = {},
): Promise<number[]> {
  const where = and(eq(faces.owner, owner), filterOf(database, owner, filter))
  const [, deleted] = await detectConcurrentChange(() =>
    database.batch([
      insertIntentsWhere(database, work, where, persons),
      database.delete(faces).where(where).returning({ id: faces.id }),
      ...(persons.length > 0 ? facelessDeletion(database, owner, persons) : []),
      ...guardRevision(database, owner, revision),
    ]),
  )
  return deleted.map(({ id }) => id)
}

/**
 * Deletes a person and all faces of the person. Returns the ids of the faces; undefined for an unknown person. Rejects with
 * ConcurrentChange when the owner's revision has changed.
 */
export async function deletePersonWithFaces(
  database: Database,
  work: IntentOperation,
  { owner, id }: { owner: string; id: number },
  revision: number | undefined,
): Promise<number[] | undefined> {
  const where = and(eq(faces.owner, owner), filterOf(database, owner, { person: id }))
  const [, deleted, , { rowsAffected }] = await detectConcurrentChange(() =>
    database.batch([
      insertIntentsWhere(database, work, where, [id]),
      database.delete(faces).where(where).returning({ id: faces.id }),
      retirePersonIds(database, owner),
      database.delete(persons).where(and(eq(persons.owner, owner), eq(persons.id, id))),
      ...forgetInConditions(database, owner, [id]),
      forgetCandidates(database, owner, [id]),
      ...guardRevision(database, owner, revision),
    ]),
  )
  return rowsAffected === 0 ? undefined : deleted.map(face => face.id)
}

/**
 * Deletes at most `limit` faces of a gallery that is being deleted, and the gallery with its last face. Returns their
 * ids; empty when nothing was left to delete.
 */
export async function deleteSomeOfGallery(
  database: Database,
  work: IntentOperation,
  { owner, name }: { owner: string; name: string },
  limit: number,
): Promise<number[]> {
  const beingDeleted = and(eq(galleries.owner, owner), eq(galleries.name, name), eq(galleries.deleting, true))
  const members = database
    .select({ face: memberships.face })
    .from(memberships)
    .innerJoin(
      galleries,
      and(eq(galleries.owner, memberships.owner), eq(galleries.name, memberships.gallery)),
    )
    .where(beingDeleted)
    .orderBy(asc(memberships.face))
    .limit(limit)
  const where = and(eq(faces.owner, owner), inArray(faces.id, members))
  const [, deleted] = await database.batch([
    insertIntentsWhere(database, work, where),
    database.delete(faces).where(where).returning({ id: faces.id }),
    database.delete(galleries).where(and(beingDeleted, not(exists(members)))),
  ])
  return deleted.map(({ id }) => id)
}
