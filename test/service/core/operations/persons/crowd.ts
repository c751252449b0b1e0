/** Faces and persons as rows, without pictures. */

import { friendRule } from '#core/metadata/faces/event-conditions.ts'
import { type FaceRow, faceById } from '#core/metadata/faces/faces.ts'
import { recordPersonChange } from '#core/metadata/persons/person-changes.ts'
import { countedPersons } from '#core/metadata/persons/person-summaries.ts'
import { insertPersons, nextPersons } from '#core/metadata/persons/persons.ts'
import type { PersonChange } from '#core/metadata/persons/schema.ts'
import { faces } from '#core/metadata/schema.ts'
import type { Metadata, Services } from '#core/operations/services.ts'
import { faceRow, OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'

/** Adds a person, and these faces, or a number of faces, with ids in rising order. Returns the ids of the faces. */
export async function addPerson(
  { database }: Metadata,
  id: number,
  changes: number | readonly Partial<FaceRow>[] = 1,
  { owner = OWNER, meta = '' } = {},
): Promise<number[]> {
  await insertPersons(database, [{ owner, id, meta }])
  const rows = (typeof changes === 'number' ? times(changes, () => ({})) : changes).map(changed =>
    faceRow(owner, id, changed),
  )
  for (let i = 0; i < rows.length; i += 500) await database.insert(faces).values(rows.slice(i, i + 500))
  return rows.map(row => row.id)
}

/** Adds a person with a face for each of these vectors, which are in the gallery `default`. Returns the ids of the faces. */
export async function addPersonWithVectors(
  services: Pick<Services, 'database' | 'vectors'>,
  id: number,
  vectors: readonly Float32Array[],
  changed: Partial<FaceRow> = {},
): Promise<number[]> {
  const ids = await addPerson(
    services,
    id,
    vectors.map(() => changed),
  )
  const gallery = `${OWNER}_default`
  await services.vectors.add(ids.map((face, i) => ({ gallery, id: face, vector: vectors[i]! })))
  return ids
}

/** The person of a face. */
export const personOf = async (services: Services, id: number) =>
  (await faceById(services.database, friendRule(services), OWNER, id))?.personId

/** Ids of the owner's persons, each with the number of their faces. */
export const census = async ({ database }: Services, owner = OWNER): Promise<Record<number, number>> => {
  const ids = (await nextPersons(database, owner, { above: -1, limit: 1_000 })).map(({ id }) => id)
  const counted = await countedPersons(database, owner, ids)
  return Object.fromEntries(counted.map(({ id, count }) => [id, count]))
}

/** Records a change of a person, which is then interrupted. */
export const interruptedChange = ({ database }: Metadata, person: number, change: PersonChange) =>
  recordPersonChange(database, { operation: `${person}`, owner: OWNER, person, change }, undefined, undefined)
