/** The person that a caller names for a new face, by id or by name. */
import { badParam } from '../../../contract/errors.ts'
import { nameOfPerson } from '../../../contract/model/person.ts'
import type { Change } from '../../../contract/rpc/operations.ts'
import type { FaceRow } from '../../metadata/queries/faces.ts'
import {
  highestPersonId,
  personById,
  personsNamed,
  type StoredPerson,
} from '../../metadata/queries/persons.ts'
import type { Services } from '../services.ts'
import type { Assigned } from './assign.ts'

type Request = Pick<Change<'enrol'>, 'owner' | 'meta' | 'personId' | 'personName'>

export const givesPerson = ({ personId, personName }: Request): boolean =>
  (personId ?? personName) !== undefined

/** Throws BAD_PARAM for a request that gives one person to several faces, or two persons. */
export function checkGivenPerson(request: Request, faces: number): void {
  const { personId, personName } = request
  if (personId !== undefined && personName !== undefined)
    throw badParam('person', personName, 'person and person_id are alternatives: send one of them.')
  if (!givesPerson(request) || faces === 1) return
  const param = personId === undefined ? 'person' : 'person_id'
  throw badParam(
    param,
    personId ?? personName,
    `${faces} faces are selected, and two faces of a photo are never one person. Select one with mf_selector or bbox.`,
  )
}

/**
 * Gives the person of the request to the face. Throws BAD_PARAM when several persons have the name. The caller holds the lock of
 * the owner until the result is stored.
 */
export async function withGivenPerson<Face extends FaceRow>(
  services: Pick<Services, 'database'>,
  request: Request,
  faces: readonly Face[],
): Promise<Assigned<Face>> {
  const { owner, meta, personId: id, personName: name = '' } = request
  if (typeof id === 'string') return { faces: faces.map(face => ({ ...face, personId: id })), persons: [] }
  const person =
    id === undefined
      ? await personWithName(services, owner, name)
      : ((await personById(services.database, owner, id)) ?? { owner, id, meta })
  return {
    faces: faces.map(face => ({
      ...face,
      personId: person.id,
      meta: face.meta || nameOfPerson(person.meta),
    })),
    // Written if it is new, or was deleted since it was read.
    persons: [person],
  }
}

/** Persons with one name that a refusal names at most. */
const NAMED_IDS = 20

async function personWithName(
  { database }: Pick<Services, 'database'>,
  owner: string,
  name: string,
): Promise<StoredPerson> {
  const [first, ...others] = await personsNamed(database, owner, name, NAMED_IDS)
  if (others.length > 0) {
    const ids = [first!, ...others].map(({ id }) => id).join(', ')
    throw badParam('person', name, `Several persons have this name: ${ids}. Send person_id, or merge them.`)
  }
  return first ?? { owner, id: (await highestPersonId(database, owner)) + 1, meta: name.trim() }
}
