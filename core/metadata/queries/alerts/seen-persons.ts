/** How often cameras have seen persons. */
import { and, count, eq, inArray, isNotNull, min } from 'drizzle-orm'
import type { Database } from '../../database.ts'
import { faces, persons } from '../../schema.ts'

/** `person_id` of a face. A text names no person. */
export type PersonId = number | string

export interface SeenPerson {
  id: PersonId
  /** Absent for a text. */
  meta?: string
  /** Number of the faces that cameras posted. */
  count: number
  /** Time of the earliest of them in microseconds since 1970. */
  first?: number
}

/** What is known about persons of an owner, in the order of `ids`. */
export async function seenPersons(
  database: Database,
  owner: string,
  ids: readonly PersonId[],
): Promise<SeenPerson[]> {
  if (ids.length === 0) return []
  // The conditions are those of the index `faces_sightings`.
  const sightings = await database
    .select({ id: faces.personId, count: count(), first: min(faces.timestamp) })
    .from(faces)
    .where(
      and(
        eq(faces.owner, owner),
        inArray(faces.personId, [...ids]),
        isNotNull(faces.personId),
        isNotNull(faces.camera),
      ),
    )
    .groupBy(faces.personId)
  const numbers = ids.filter(id => typeof id === 'number')
  const named = await database
    .select({ id: persons.id, meta: persons.meta })
    .from(persons)
    .where(and(eq(persons.owner, owner), inArray(persons.id, numbers)))
  return ids.map(id => {
    const seen = sightings.find(one => one.id === id)
    const meta = named.find(one => one.id === id)?.meta
    return {
      id,
      ...(meta !== undefined && { meta }),
      count: seen?.count ?? 0,
      ...(seen?.first != null && { first: seen.first }),
    }
  })
}
