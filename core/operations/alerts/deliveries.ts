/** Deliveries of a rule: lists them, sends failed ones again, and adds a test. */
import { ServiceError, unexpected } from '../../../contract/errors.ts'
import type { Delivery } from '../../../contract/model/alert.ts'
import { omitNull } from '../../../contract/omit-undefined.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import {
  deliveryById,
  deliveryPage,
  insertDelivery,
  retryDelivery as retryDeliveryRow,
  type StoredDelivery,
} from '../../metadata/queries/deliveries.ts'
import { alertById, type StoredAlert } from '../../metadata/queries/rules.ts'
import type { Services } from '../services.ts'
import { getAlert, NO_WEBHOOK } from './alerts.ts'
import { messageId } from './message.ts'

/** One page of deliveries, newest first. Throws NOT_FOUND for an unknown rule. */
export async function listDeliveries(
  services: Pick<Services, 'database'>,
  { owner, id, limit, ...page }: RpcRequest<'deliveries.page'>,
): Promise<RpcResponse<'deliveries.page'>> {
  await getAlert(services, { owner, id })
  const rows = await deliveryPage(services.database, owner, { ...page, alert: id, limit: limit + 1 })
  return { deliveries: rows.slice(0, limit).map(deliveryAnswer), older: rows.length > limit }
}

/** Throws NOT_FOUND, and BAD_PARAM for a delivery that has not failed. */
export async function retryDelivery(
  { database, now, events }: Pick<Services, 'database' | 'now' | 'events'>,
  { owner, id, delivery }: Change<'delivery.retry'>,
): Promise<RpcResponse<'delivery.retry'>> {
  const retried = await retryDeliveryRow(database, owner, { alert: id, id: delivery, now: now() })
  if (!retried) {
    const present = await deliveryById(database, owner, delivery)
    if (present?.alert !== id) throw new ServiceError('NOT_FOUND')
    throw unexpected('delivery', delivery, `a failed delivery; this one is ${present.state}`)
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
  const inserted = await insertDelivery(database, owner, { ...nothing, ...startOf(rule, now()) })
  events.wake(owner)
  return { delivery: deliveryAnswer(inserted) }
}

/** A new delivery of a rule. Without a webhook it has ended: live streams show it. `now` is in Unix milliseconds. */
export const startOf = ({ id, url }: Pick<StoredAlert, 'id' | 'url'>, now: number) => ({
  alert: id,
  created: now * 1000,
  due: now,
  ...(url === NO_WEBHOOK
    ? { state: 'delivered' as const, ended: now }
    : { state: 'pending' as const, ended: null }),
})

const timeOf = (millis: number | null) => (millis === null ? null : timestampText(millis * 1000))

/** Delivery of a response. Fields that do not apply are absent. */
function deliveryAnswer(delivery: StoredDelivery): Delivery {
  const { id, face, event, person, state, created, attempts, due, ended, fault } = delivery
  return {
    ...{ id, message_id: messageId(id), type: face === null ? 'test' : 'face.seen', state, attempts },
    created: timestampText(created),
    ...omitNull({
      ...{ event_id: event, face_id: face, person_id: person === null ? null : JSON.parse(person) },
      ...{ next_attempt: timeOf(state === 'pending' ? due : null), ended: timeOf(ended), fault },
    }),
  }
}

export const deliveryHandlers = {
  'alert.test': testAlert,
  'deliveries.page': listDeliveries,
  'delivery.retry': retryDelivery,
}
