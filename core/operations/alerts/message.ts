/** Messages to webhooks: their bodies, and their headers by the Standard Webhooks specification. */
import { Webhook } from 'standardwebhooks'
import type { AlertMessage } from '../../contract/model/alert.ts'
import type { Face } from '../../contract/model/face.ts'
import type { WebhookSecret } from '../../metadata/alert-schema.ts'
import type { StoredDelivery } from '../../metadata/queries/alerts/deliveries.ts'
import type { StoredAlert } from '../../metadata/queries/alerts/rules.ts'
import { faceAnswers } from '../face-answer.ts'
import type { Services } from '../services.ts'

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
  alert: StoredAlert,
  delivery: StoredDelivery,
): Promise<AlertMessage | undefined> {
  const timestamp = new Date(services.now()).toISOString()
  const about = { id: alert.id, name: alert.name }
  if (delivery.face === null || delivery.event === null)
    return { type: 'test', timestamp, data: { alert: about } }
  const ids = [delivery.face, ...delivery.matches.map(({ face }) => face)]
  const faces = new Map((await faceAnswers(services, alert.owner, ids)).map(face => [face.id, face]))
  const face = faces.get(delivery.face)
  if (!face) return undefined
  const matches = delivery.matches.flatMap(({ face: id, confidence }) => {
    const match = faces.get(id)
    return match ? [{ confidence, face: linked(match, alert.origin) }] : []
  })
  return {
    type: 'face.seen',
    timestamp,
    data: { alert: about, event_id: delivery.event, face: linked(face, alert.origin), matches },
  }
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
