/** Messages to webhooks: their bodies, and their headers by the Standard Webhooks specification. */
import { Webhook } from 'standardwebhooks'
import {
  type AlertData,
  type AlertMessage,
  type AlertPerson,
  withLinkedFaces,
} from '../../../contract/model/alert.ts'
import { type Face, type Match, withLinks } from '../../../contract/model/face.ts'
import { omitNull } from '../../../contract/omit-undefined.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import type { NamedDelivery, StoredDelivery } from '../../metadata/alerts/deliveries.ts'
import { type PersonId, type StoredAlert, seenPersons } from '../../metadata/alerts/rules.ts'
import type { WebhookSecret } from '../../metadata/alerts/schema.ts'
import { updatesAmong } from '../../metadata/events/events.ts'
import { faceAnswers } from '../face-answer.ts'
import type { Metadata, Services } from '../services.ts'

/** A signed message. */
export interface SignedMessage {
  headers: Record<string, string>
  body: string | Uint8Array
}

/** The header `webhook-id`: equal in all attempts, different for all deliveries. */
export const messageId = (delivery: number): string => `msg_${delivery}`

/** The secrets that sign now (Unix milliseconds). */
export const currentSecrets = (secrets: readonly WebhookSecret[], now: number): WebhookSecret[] =>
  secrets.filter(({ ends }) => ends === null || ends > now)

/** The message of a delivery, with the present data of its face. Undefined when the face is deleted. */
export async function messageOf(
  services: Services,
  { owner, name, origin }: StoredAlert,
  delivery: StoredDelivery,
): Promise<AlertMessage | undefined> {
  const data = (await alertDataOf(services, owner, [{ ...delivery, name }])).get(delivery.id)
  return (
    data && {
      type: data.face ? 'face.seen' : 'test',
      timestamp: new Date(services.now()).toISOString(),
      data: withLinkedFaces(data, face => withLinks(face, origin)),
    }
  )
}

/** Signs a message with all current secrets of its rule. `now` is in Unix milliseconds. */
export function signedMessage(
  { secrets }: Pick<StoredAlert, 'secrets'>,
  delivery: number,
  message: AlertMessage,
  now: number,
): SignedMessage {
  const id = messageId(delivery)
  const body = JSON.stringify(message)
  const signatures = currentSecrets(secrets, now).map(({ secret }) =>
    new Webhook(secret).sign(id, new Date(now), body),
  )
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  }
}

/** The data of deliveries of an owner, by their ids. Deliveries of deleted faces are left out. Links are paths. */
export async function alertDataOf(
  services: Services,
  owner: string,
  deliveries: readonly NamedDelivery[],
): Promise<Map<number, AlertData>> {
  const ids = deliveries.flatMap(({ face, matches }) =>
    [face ?? [], matches.map(match => match.face)].flat(2),
  )
  const faces = await faceAnswers(services, owner, [...new Set(ids)])
  const persons = await personsOf(
    services,
    owner,
    deliveries.flatMap(({ face, matches }) =>
      [face ?? -1, ...matches.map(match => match.face)].flatMap(id => faces.get(id)?.person_id ?? []),
    ),
  )
  const updates = await updatesAmong(
    services.database,
    owner,
    deliveries.flatMap(({ event }) => event ?? []),
  )
  return new Map(
    deliveries.flatMap(delivery => {
      const data = dataOf(delivery, faces, persons)
      if (data?.face && updates.has(delivery.event!)) data.face = { ...data.face, updated: true }
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
  const person = personOf(face, persons)
  return {
    alert: about,
    event_id: event,
    face,
    person,
    matches: matches.flatMap(({ face: id, ...match }) => {
      const face = faces.get(id)
      return face ? [{ ...match, face, ...namedPerson(personOf(face, persons)) }] : []
    }),
  }
}

const personOf = ({ person_id }: Face, persons: ReadonlyMap<PersonId, AlertPerson>) =>
  person_id === undefined ? undefined : persons.get(person_id)

const namedPerson = (person: AlertPerson | undefined): Pick<Match, 'person'> =>
  typeof person?.id === 'number' && person.meta !== undefined
    ? { person: { id: person.id, meta: person.meta } }
    : {}

async function personsOf(
  { database }: Metadata,
  owner: string,
  ids: readonly PersonId[],
): Promise<Map<PersonId, AlertPerson>> {
  const seen = await seenPersons(database, owner, [...new Set(ids)])
  return new Map(
    seen.map(({ id, meta, count, first }) => {
      const first_seen = first === null ? null : timestampText(first)
      return [id, { id, seen: count, ...omitNull({ meta, first_seen }) }]
    }),
  )
}
