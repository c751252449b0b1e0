/** Deliveries of a rule: lists them, sends them again, and adds a test. */
import { ServiceError, wrongValue } from '../../../contract/errors.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import type { Delivery } from '../../../contract/model/alert.ts'
import { omitNull } from '../../../contract/omit-undefined.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import {
  deliveryById,
  deliveryPage,
  insertDeliveries,
  type NewDelivery,
  retryDelivery as retryDeliveryRow,
  type StoredDelivery,
} from '../../metadata/alerts/deliveries.ts'
import { listeningBrowsers } from '../../metadata/alerts/notifications.ts'
import { alertById, type StoredAlert } from '../../metadata/alerts/rules.ts'
import type { Metadata, Services } from '../services.ts'
import { getAlert, NO_WEBHOOK } from './alerts.ts'
import { messageId } from './signed-message.ts'

/** One page of deliveries, newest first. Throws NOT_FOUND for an unknown rule. */
export async function listDeliveries(
  services: Metadata,
  { owner, id, limit, ...page }: RpcRequest<'deliveries.page'>,
): Promise<RpcResponse<'deliveries.page'>> {
  await getAlert(services, { owner, id })
  const rows = await deliveryPage(services.database, owner, { ...page, alert: id, limit: limit + 1 })
  return { deliveries: rows.slice(0, limit).map(deliveryAnswer), older: rows.length > limit }
}

/** Throws NOT_FOUND, and BAD_PARAM for a delivery that was accepted. */
export async function retryDelivery(
  { database, now, events }: Pick<Services, 'database' | 'now' | 'events'>,
  { owner, id, delivery }: Change<'delivery.retry'>,
): Promise<RpcResponse<'delivery.retry'>> {
  const retried = await retryDeliveryRow(database, owner, { alert: id, id: delivery, now: now() })
  if (!retried) {
    const present = await deliveryById(database, owner, delivery)
    if (present?.alert !== id) throw new ServiceError('NOT_FOUND')
    throw wrongValue('delivery', delivery, `a delivery that was not accepted; this one is ${present.state}`)
  }
  events.wake(owner)
  return { delivery: deliveryAnswer(retried) }
}

/** Adds a message without a face, for the webhook and live streams. Throws NOT_FOUND. */
export async function testAlert(
  { database, now, events }: Pick<Services, 'database' | 'now' | 'events'>,
  { owner, id }: Change<'alert.test'>,
): Promise<RpcResponse<'alert.test'>> {
  const rule = await alertById(database, owner, id)
  if (!rule) throw new ServiceError('NOT_FOUND')
  const nothing = { face: null, event: null, matches: [] }
  const browsers = rule.browsers ? await browsersOf(database, owner, now()) : []
  const added = startsOf(rule, nothing, browsers, now())
  const [inserted] = await insertDeliveries(database, owner, added).returning()
  events.wake(owner)
  return { delivery: deliveryAnswer(inserted!) }
}

/** The browsers that get new notifications of an owner. */
export const browsersOf = (database: Services['database'], owner: string, now: number): Promise<string[]> =>
  listeningBrowsers(database, owner, now, ALERT_LIMITS.browserPending)

/**
 * New deliveries of an alert: itself, and its notifications if the rule has them. Without a webhook the first has ended: live
 * streams show it. `now` is in Unix milliseconds.
 */
export function startsOf(
  { id, url, browsers }: Pick<StoredAlert, 'id' | 'url' | 'browsers'>,
  about: Pick<NewDelivery, 'face' | 'event' | 'matches'>,
  listening: readonly string[],
  now: number,
): NewDelivery[] {
  const start = { ...about, alert: id, created: now * 1000, due: now }
  const pending = { ...start, state: 'pending' as const, ended: null }
  const own = url === NO_WEBHOOK ? { ...start, state: 'delivered' as const, ended: now } : pending
  const notified = browsers ? listening : []
  return [{ ...own, subscription: null }, ...notified.map(subscription => ({ ...pending, subscription }))]
}

const timeOf = (millis: number | null) => (millis === null ? null : timestampText(millis * 1000))

/** Delivery of a response. Fields that do not apply are absent. */
function deliveryAnswer(delivery: StoredDelivery): Delivery {
  const { id, face, event, person, state, created, attempts, due, ended, fault, subscription } = delivery
  return {
    id,
    message_id: messageId(id),
    type: face === null ? 'test' : 'face.seen',
    state,
    attempts,
    created: timestampText(created),
    ...omitNull({
      event_id: event,
      face_id: face,
      person_id: person === null ? null : JSON.parse(person),
      next_attempt: timeOf(state === 'pending' ? due : null),
      ended: timeOf(ended),
      fault,
      subscription,
    }),
  }
}

export const deliveryHandlers = {
  'alert.test': testAlert,
  'deliveries.page': listDeliveries,
  'delivery.retry': retryDelivery,
}
