/** The transactions by which faces cease to exist, each face with a note of what is kept of it elsewhere. */
import { and, asc, eq, exists, inArray, not } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { advance, detectConcurrentChange } from '../revisions.ts'
import { faces, galleries, memberships } from '../schema.ts'
import { type FaceFilter, filtered } from './faces.ts'
import { type IntentWork, insertIntentsWhere } from './intents.ts'

/**
 * Deletes the owner's faces that the filter means; the ids of those that there were. Where it was decided by what several cores
 * may change, the owner's revision is advanced: rejects with Overtaken then.
 */
export async function deleteFaces(
  database: Database,
  work: IntentWork,
  owner: string,
  doomed: FaceFilter,
  revision?: number,
): Promise<number[]> {
  const where = and(eq(faces.owner, owner), filtered(database, owner, doomed))
  const guard = revision === undefined ? [] : [advance(database, owner, revision)]
  const [, deleted] = await detectConcurrentChange(() =>
    database.batch([
      insertIntentsWhere(database, work, where),
      database.delete(faces).where(where).returning({ id: faces.id }),
      ...guard,
    ]),
  )
  return deleted.map(({ id }) => id)
}

/**
 * Deletes at most so many of the faces in a gallery that is going, and with the last of them the gallery. Their ids: none
 * when there was nothing left to delete.
 */
export async function deleteSomeOfGallery(
  database: Database,
  work: IntentWork,
  { owner, name }: { owner: string; name: string },
  limit: number,
): Promise<number[]> {
  const going = and(eq(galleries.owner, owner), eq(galleries.name, name), eq(galleries.going, true))
  const members = database
    .select({ face: memberships.face })
    .from(memberships)
    .innerJoin(
      galleries,
      and(eq(galleries.owner, memberships.owner), eq(galleries.name, memberships.gallery)),
    )
    .where(going)
    .orderBy(asc(memberships.face))
    .limit(limit)
  const where = and(eq(faces.owner, owner), inArray(faces.id, members))
  const [, deleted] = await database.batch([
    insertIntentsWhere(database, work, where),
    database.delete(faces).where(where).returning({ id: faces.id }),
    database.delete(galleries).where(and(going, not(exists(members)))),
  ])
  return deleted.map(({ id }) => id)
}
