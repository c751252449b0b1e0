/** Sends deliveries: one attempt, the time of the next one, and posts to webhooks on the public internet and on trusted hosts. */
import { environment } from '../../../contract/environment.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import type { AlertMessage } from '../../../contract/model/alert.ts'
import { claimDelivery, endAttempt, type StoredDelivery } from '../../metadata/alerts/deliveries.ts'
import { deleteSubscription, validSubscription } from '../../metadata/alerts/notifications.ts'
import { alertById, disableAlert, type StoredAlert } from '../../metadata/alerts/rules.ts'
import { cameraById } from '../../metadata/cameras/cameras.ts'
import { nameServers, systemNames } from '../../network/name-servers.ts'
import { sendGuarded } from '../../network/pinned-request.ts'
import { AddressRefused, type Guard } from '../../network/target.ts'
import type { Services } from '../services.ts'
import { NO_WEBHOOK } from './alerts.ts'
import { notificationRequest } from './notifications.ts'
import { phoneRequest } from './phone-messages.ts'
import { messageOf, type SignedMessage, signedMessage } from './signed-message.ts'

/** Result of an attempt: `retried` will be attempted again, `failed` was the last attempt, `gone` disabled the rule. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'failed' | 'gone'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Attempts after the first one, in milliseconds after it. */
const RETRIES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  16 * HOUR,
  ALERT_LIMITS.deliveryRetriesMs,
]

/** Greatest delay of an attempt beyond its time, as a part of the wait. Receivers that recover are not called at once by all. */
const JITTER = 0.1

/**
 * The next attempt in Unix milliseconds; undefined after the last one. `since` is the first attempt. `random` is from 0 to 1.
 */
export function nextAttempt(since: number, now: number, random: number): number | undefined {
  const next = RETRIES_MS.find(ms => ms > now - since)
  return next === undefined ? undefined : since + next + random * JITTER * (since + next - now)
}

/** Faults of receivers that do not take files. */
const FILE_REFUSED = /^status 4(00|13|15|22|31)\b/

/** Status with which a receiver refuses further messages. */
const GONE = 410

/** Statuses with which a push service says that the subscription does not exist (RFC 8030, 7.3). */
const UNSUBSCRIBED = [404, GONE]

/**
 * Attempts a delivery, unless another core does. Returns undefined without an attempt. `signal` breaks the attempt off; it is
 * then repeated at once by this core or another one. Rejects when the metadata is unavailable: the lease then ends by itself.
 */
export async function attemptDelivery(
  services: Services,
  post: PostMessage,
  delivery: StoredDelivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  const { database, now } = services
  const lease = { now: now(), until: now() + ALERT_LIMITS.deliveryLeaseMs }
  const claimed = await services.diskSpace.adding(() => claimDelivery(database, delivery, lease))
  const alert = claimed && (await alertById(database, claimed.owner, claimed.alert))
  if (!alert) return undefined
  const message = alert.enabled && (await messageOf(services, alert, claimed))
  if (!message) {
    await endAttempt(database, claimed, { due: now() })
    return undefined
  }
  const request = await requestOf(services, alert, delivery, message)
  if (!request) {
    const fault = claimed.subscription === null ? 'no webhook' : 'not subscribed'
    await endAttempt(database, claimed, { state: 'failed', fault, ended: now() })
    return 'failed'
  }
  const { url, signed } = request
  const outcome = await post(url, signed, signal).catch(faultOf)
  if (outcome === NO_ANSWER && signal.aborted) {
    await endAttempt(database, claimed, { due: now() })
    return undefined
  }
  return finish(services, alert, claimed, outcome)
}

const NO_ANSWER = 'no answer'

/** The fault of an attempt without a status. */
const faultOf = (error: unknown): string =>
  error instanceof AddressRefused ? 'address not allowed' : NO_ANSWER

/** Undefined when the receiver is gone. */
async function requestOf(
  services: Services,
  alert: StoredAlert,
  { id, subscription, fault }: StoredDelivery,
  message: AlertMessage,
): Promise<{ url: string; signed: SignedMessage } | undefined> {
  const { database, now } = services
  if (subscription === null && alert.url === NO_WEBHOOK) return undefined
  const { face } = message.data
  const seen = face?.cam_id ? await cameraById(database, alert.owner, face.cam_id) : undefined
  const camera = seen?.meta ?? ''
  if (subscription === null && !alert.format) {
    const named = { ...message, data: { ...message.data, ...(camera !== '' && { camera }) } }
    return { url: alert.url, signed: signedMessage(alert, id, named, now()) }
  }
  const link = (alert.conditions.pictures && face?.thumbnail) || undefined
  if (subscription === null) {
    // A message without its picture is better than none.
    const jpeg =
      link === undefined || FILE_REFUSED.test(fault ?? '')
        ? undefined
        : await services.pictures
            .read({ owner: alert.owner, id: face!.id }, 'thumbnail')
            .catch(() => undefined)
    return phoneRequest(alert, alert.format!, message, { camera, link, jpeg })
  }
  const browser = await validSubscription(database, alert.owner, subscription, now())
  return browser && notificationRequest(services, browser, alert, message, { camera, link })
}

/** Ends an attempt. `outcome`: the status of the response, or the fault. */
async function finish(
  services: Services,
  alert: StoredAlert,
  delivery: StoredDelivery,
  outcome: number | string,
): Promise<DeliveryOutcome> {
  const { database, now, record, diskSpace } = services
  const end = (state: 'delivered' | 'failed', fault: string | null) =>
    diskSpace.deleting(() => endAttempt(database, delivery, { state, fault, ended: now() }))
  const [status, fault] = typeof outcome === 'number' ? [outcome, `status ${outcome}`] : [0, outcome]
  if (status >= 200 && status < 300) {
    await end('delivered', null)
    return 'delivered'
  }
  if (delivery.subscription !== null && UNSUBSCRIBED.includes(status)) {
    await diskSpace.deleting(() => deleteSubscription(database, alert.owner, delivery.subscription!))
    return 'failed'
  }
  if (delivery.subscription === null && status === GONE) {
    await disableAlert(database, alert)
    await end('failed', fault)
    await record({ actor: 'service', action: 'alert.gone', owner: alert.owner, subject: { alert: alert.id } })
    return 'gone'
  }
  const since = delivery.since ?? now()
  const due = nextAttempt(since, now(), environment.random())
  const last =
    delivery.subscription === null ? Number.POSITIVE_INFINITY : since + ALERT_LIMITS.notificationRetriesMs
  if (due === undefined || due > last) {
    await end('failed', fault)
    return 'failed'
  }
  await diskSpace.deleting(() => endAttempt(database, delivery, { due: Math.round(due), fault }))
  return 'retried'
}

/** Posts a message. Returns the status of the response, whose body is not read. Rejects without a response. */
export type PostMessage = (url: string, message: SignedMessage, signal?: AbortSignal) => Promise<number>

interface PostOptions extends Guard {
  /** Milliseconds in total. */
  totalMs?: number
}

/** Creates a PostMessage. It follows no redirect, and connects to addresses that network/target.ts allows. */
export function messagePoster({ totalMs = ALERT_LIMITS.deliveryMs, ...guard }: PostOptions): PostMessage {
  const names = { resolve: nameServers(), resolveTrusted: systemNames() }
  return async (url, message, stop) => {
    const deadline = environment.deadline(totalMs)
    const response = await sendGuarded(url, {
      names,
      guard,
      headers: message.headers,
      body: Buffer.from(message.body),
      maxHeaderBytes: ALERT_LIMITS.deliveryHeaderBytes,
      connectMs: ALERT_LIMITS.deliveryConnectMs,
      signal: stop ? AbortSignal.any([deadline, stop]) : deadline,
    })
    response.on('error', () => {}).destroy()
    return response.statusCode ?? 0
  }
}
