/** What alerts say, from present data: after a merge or a new name, the message of an earlier delivery shows it. */
import type { AlertData, AlertPerson } from '../../../contract/model/alert.ts'
import type { Face } from '../../../contract/model/face.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import type { NamedDelivery } from '../../metadata/queries/deliveries.ts'
import { type PersonId, seenPersons } from '../../metadata/queries/rules.ts'
import { faceAnswers } from '../face-answer.ts'
import type { Services } from '../services.ts'

/** The data of deliveries of an owner, by their ids. Deliveries of deleted faces are left out. Links are paths. */
export async function alertDataOf(
  services: Services,
  owner: string,
  deliveries: readonly NamedDelivery[],
): Promise<Map<number, AlertData>> {
  const ids = deliveries.flatMap(({ face, matches }) =>
    [face ?? [], matches.map(match => match.face)].flat(2),
  )
  const found = ids.length > 0 ? await faceAnswers(services, owner, [...new Set(ids)]) : []
  const faces = new Map(found.map(face => [face.id, face]))
  const persons = await personsOf(
    services,
    owner,
    deliveries.flatMap(({ face }) => faces.get(face ?? -1)?.person_id ?? []),
  )
  return new Map(
    deliveries.flatMap(delivery => {
      const data = dataOf(delivery, faces, persons)
      return data ? [[delivery.id, data] as const] : []
    }),
  )
}

function dataOf(
  { alert, name, face: id, event, matches }: NamedDelivery,
  faces: ReadonlyMap<number, Face>,
  persons: ReadonlyMap<PersonId, AlertPerson>,
): AlertData | undefined {
  const about = { id: alert, name }
  if (id === null || event === null) return { alert: about }
  const face = faces.get(id)
  if (!face) return undefined
  const person = face.person_id === undefined ? undefined : persons.get(face.person_id)
  return {
    alert: about,
    event_id: event,
    face,
    ...(person && { person }),
    matches: matches.flatMap(({ face: id, confidence }) => {
      const match = faces.get(id)
      return match ? [{ confidence, face: match }] : []
    }),
  }
}

async function personsOf(
  { database }: Pick<Services, 'database'>,
  owner: string,
  ids: readonly PersonId[],
): Promise<Map<PersonId, AlertPerson>> {
  const seen = await seenPersons(database, owner, [...new Set(ids)])
  return new Map(
    seen.map(({ id, meta, count, first }) => [
      id,
      {
        id,
        ...(meta !== undefined && { meta }),
        seen: count,
        ...(first !== undefined && { first_seen: timestampText(first) }),
      },
    ]),
  )
}
