/** Messages to webhooks: their bodies, and their headers by the Standard Webhooks specification. */
import { Webhook } from 'standardwebhooks'
import { type AlertMessage, withLinkedFaces } from '../../../contract/model/alert.ts'
import type { Face } from '../../../contract/model/face.ts'
import type { WebhookSecret } from '../../metadata/alert-schema.ts'
import type { StoredDelivery } from '../../metadata/queries/deliveries.ts'
import type { StoredAlert } from '../../metadata/queries/rules.ts'
import type { Services } from '../services.ts'
import { alertDataOf } from './alert-data.ts'

/** A signed message. */
export interface SignedMessage {
  headers: Record<string, string>
  body: string
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
      data: withLinkedFaces(data, face => linked(face, origin)),
    }
  )
}

/** The face with absolute links to its pictures. */
const linked = (face: Face, origin: string): Face => ({
  ...face,
  thumbnail: origin + face.thumbnail,
  normalized: origin + face.normalized,
})

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
