/** Persons: reads and lists them, also with a representative face, the number of their faces, and their latest face. */
import { ServiceError } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { Person, PersonSummary } from '../../../contract/model/person.ts'
import type { RpcRequest, RpcResponse, StreamRequest } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { facesById } from '../../metadata/faces/faces.ts'
import { fillFoldedNames } from '../../metadata/person-names.ts'
import { type CountedPerson, countedPersons, personPage } from '../../metadata/persons/person-summaries.ts'
import { nextPersons, personById, type StoredPerson, survivorOf } from '../../metadata/persons/persons.ts'
import { faceAnswer } from '../face-answer.ts'
import type { Metadata, Services } from '../services.ts'

/** Throws NOT_FOUND when the owner does not have this person. */
export async function getPerson(
  { database }: Metadata,
  { owner, id }: RpcRequest<'person.get'>,
): Promise<RpcResponse<'person.get'>> {
  const person = await personById(database, owner, id)
  if (!person) throw new ServiceError('NOT_FOUND')
  return { person: personAnswer(person) }
}

/** Person of a response. */
const personAnswer = ({
  id,
  meta,
  silent = false,
}: Pick<StoredPerson, 'id' | 'meta' | 'silent'>): Person => ({
  id,
  meta,
  ...(silent && { silent }),
})

/** Yields all persons, or the persons whose name contains a text, in chunks by ascending id. */
export async function* listPersons(
  { database }: Metadata,
  { owner, name }: StreamRequest<'persons.list'>,
): AsyncGenerator<Person[], Record<string, never>> {
  if (name !== undefined) await fillFoldedNames(database, owner)
  for (let above = -1; ; ) {
    const next = await nextPersons(database, owner, { above, name, limit: FACE_LIMITS.streamChunk })
    const last = next.at(-1)
    if (!last) return {}
    yield next.map(personAnswer)
    above = last.id
  }
}

type SummaryServices = Pick<Services, 'database' | 'options' | 'links' | 'now'>

/** With `merged`, follows a merged person to the kept one. Throws NOT_FOUND when the owner does not have this person. */
export async function personSummary(
  services: SummaryServices,
  { owner, id, merged = false }: RpcRequest<'person.summary'>,
): Promise<RpcResponse<'person.summary'>> {
  const { database } = services
  // A caller may give the id of a merged person to a new one.
  let counted = await countedPersons(database, owner, [id])
  const kept = merged && counted.length === 0 ? await survivorOf(database, owner, id) : undefined
  if (kept !== undefined) counted = await countedPersons(database, owner, [kept])
  const [person] = await summariesOf(services, owner, counted)
  if (!person) throw new ServiceError('NOT_FOUND')
  return { person }
}

/** One page of summaries by descending id. */
export async function listSummaries(
  services: SummaryServices,
  { owner, ...request }: RpcRequest<'persons.summaries'>,
): Promise<RpcResponse<'persons.summaries'>> {
  const page = await personPage(services.database, owner, request)
  return { ...page, persons: await summariesOf(services, owner, page.persons) }
}

async function summariesOf(
  services: SummaryServices,
  owner: string,
  persons: readonly CountedPerson[],
): Promise<PersonSummary[]> {
  const ids = persons.flatMap(({ portrait, best, latest }) => [portrait ?? best ?? [], latest ?? []].flat())
  const faces = await facesById(services.database, friendRule(services), owner, [...new Set(ids)])
  return persons.map(({ count, ...shown }) => {
    const best = faces.get(shown.portrait ?? shown.best ?? -1)
    const latest = faces.get(shown.latest ?? -1)
    return {
      ...personAnswer(shown),
      count,
      face: best && faceAnswer(services, best),
      portrait: shown.portrait ?? undefined,
      latest: latest && {
        face_id: latest.id,
        timestamp: timestampText(latest.timestamp),
        friend: latest.friend,
        cam_id: latest.camera ?? undefined,
      },
    }
  })
}

export const personHandlers = {
  'person.get': getPerson,
  'persons.list': listPersons,
  'person.summary': personSummary,
  'persons.summaries': listSummaries,
}
