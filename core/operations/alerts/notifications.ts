/** Notifications in browsers by Web Push: who gets them, and encrypted messages. */
import { ECDH, hash } from 'node:crypto'
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import type { AlertMessage } from '../../../contract/model/alert.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { userOfSession } from '../../metadata/access/users.ts'
import {
  deleteSubscription,
  insertSubscription,
  pushKeysOf,
  type StoredSubscription,
  subscriptionsOf,
} from '../../metadata/alerts/notifications.ts'
import type { StoredAlert } from '../../metadata/alerts/rules.ts'
import { isWebUrl } from '../../network/target.ts'
import type { Handlers, Services } from '../services.ts'
import { shortenText, timeIn, whoIn } from './phone-messages.ts'
import type { SignedMessage } from './signed-message.ts'

type PushServices = Pick<Services, 'database' | 'now'>

/** Where a push service may ask about the sender. Addresses like http://127.0.0.1 are none. */
const CONTACT = 'https://mien.invalid'

/** Loaded on use. */
const library = async () => (await import('web-push')).default

const keysIn = async (database: Services['database']) =>
  pushKeysOf(database, (await library()).generateVAPIDKeys)

const bearer = async (database: Services['database'], owner: string, token: string) => ({
  user: await userOfSession(database, owner, token),
  token,
})

/** Throws BAD_PARAM for an unfit endpoint or key, and for too many browsers. */
export async function subscribeBrowser(
  { database, now }: PushServices,
  { owner, by, endpoint, p256dh, auth }: RpcRequest<'notifications.subscribe'>,
): Promise<RpcResponse<'notifications.subscribe'>> {
  if (!isWebUrl(endpoint)) throw badParam('endpoint', '', 'endpoint: expected the URL of a push service.')
  if (!isPoint(p256dh)) throw badParam('p256dh', '', 'p256dh: expected an uncompressed point of P-256.')
  const id = hash('sha256', endpoint).slice(0, 32)
  const { user = null } = await bearer(database, owner, by)
  const subscription = { id, owner, user, token: by, endpoint, p256dh, auth, created: now() * 1000 }
  const most = { owner: ALERT_LIMITS.browsers, bearer: ALERT_LIMITS.browsersOfOne }
  if (await insertSubscription(database, subscription, most)) return { id }
  throw badParam(
    'endpoint',
    '',
    `At most ${most.bearer} browsers of a user or token, and ${most.owner} in all, show notifications. Turn them off in another one.`,
  )
}

function isPoint(key: string) {
  try {
    return ECDH.convertKey(key, 'prime256v1', 'base64url', 'base64url', 'uncompressed') === key
  } catch {
    return false
  }
}

/** Text that the service worker of the console shows ("RULE: NAME at CAMERA, TIME"), and the page that a click opens. */
interface Notification {
  title: string
  body: string
  /** Equal for the same alert: a browser shows it once. */
  tag: string
  /** URL of the picture of the face. */
  image?: string
  /** Hash of a page of the console. */
  hash: string
}

/** The request of a notification. `camera` is the name of the camera, and may be empty; `link` leads to the picture of the face. */
export async function notificationRequest(
  { database }: PushServices,
  { endpoint, p256dh, auth }: StoredSubscription,
  { origin, conditions }: Pick<StoredAlert, 'origin' | 'conditions'>,
  message: AlertMessage,
  { camera, link }: { camera: string; link: string | undefined },
): Promise<{ url: string; signed: SignedMessage }> {
  const { alert, face, event_id } = message.data
  const who = shortenText(whoIn(message))
  const place = camera === '' ? who : `${who} at ${shortenText(camera)}`
  const time = timeIn(message, conditions.time_zone)
  const notification: Notification = {
    title: shortenText(alert.name) || 'Alert',
    body: time === undefined ? place : `${place}, ${time}`,
    tag: `${alert.id} ${event_id ?? ''}`,
    image: link,
    hash: face ? `#/alerts?event_id=${event_id}` : '#/alerts',
  }
  const { headers, body } = (await library()).generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(notification),
    {
      vapidDetails: {
        subject: origin.startsWith('https:') ? origin : CONTACT,
        ...(await keysIn(database)),
      },
      TTL: ALERT_LIMITS.notificationRetriesMs / 1000,
      urgency: 'high',
    },
  )
  return { url: endpoint, signed: { headers, body } }
}

export const notificationHandlers = {
  'notifications.subscribe': subscribeBrowser,
  async 'notifications.list'({ database }, { owner, token }) {
    const { publicKey } = await keysIn(database)
    const subscriptions = await subscriptionsOf(database, owner, await bearer(database, owner, token))
    return { public_key: publicKey, subscriptions }
  },

  /** Throws NOT_FOUND for a browser of another user. */
  async 'notifications.unsubscribe'({ database }, { owner, by, id }) {
    const isDeleted = await deleteSubscription(database, owner, id, await bearer(database, owner, by))
    if (!isDeleted) throw new ServiceError('NOT_FOUND')
    return {}
  },
} satisfies Partial<Handlers>
