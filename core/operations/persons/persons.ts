/** Persons: reads and lists them. */
import { ServiceError } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { Person } from '../../../contract/model/person.ts'
import type { RpcRequest, RpcResponse, StreamRequest } from '../../../contract/rpc/operations.ts'
import { fillFoldedNames } from '../../metadata/queries/person-names.ts'
import { nextPersons, personById } from '../../metadata/queries/persons.ts'
import type { Services } from '../services.ts'

/** Throws NOT_FOUND when the owner does not have this person. */
export async function getPerson(
  { database }: Pick<Services, 'database'>,
  { owner, id }: RpcRequest<'person.get'>,
): Promise<RpcResponse<'person.get'>> {
  const person = await personById(database, owner, id)
  if (!person) throw new ServiceError('NOT_FOUND')
  return { person: { id: person.id, meta: person.meta } }
}

/** Yields all persons, or those whose name contains a text, in chunks by ascending id. */
export async function* listPersons(
  { database }: Pick<Services, 'database'>,
  { owner, name }: StreamRequest<'persons.list'>,
): AsyncGenerator<Person[], Record<string, never>> {
  if (name !== undefined) await fillFoldedNames(database, owner)
  for (let above = -1; ; ) {
    const next = await nextPersons(database, owner, { above, name, limit: FACE_LIMITS.streamChunk })
    const last = next.at(-1)
    if (!last) return {}
    yield next.map(({ id, meta }) => ({ id, meta }))
    above = last.id
  }
}

export const personHandlers = {
  'person.get': getPerson,
  'persons.list': listPersons,
}
