/** Deliveries of a rule: lists them, sends failed ones again, and adds a test. */
import { ServiceError, unexpected } from '../../contract/errors.ts'
import type { Delivery } from '../../contract/model/alert.ts'
import type { Change, RpcRequest, RpcResponse } from '../../contract/rpc/operations.ts'
import { timestampText } from '../../contract/timestamps.ts'
import {
  deliveryById,
  deliveryPage,
  insertDelivery,
  retryDelivery as retryDeliveryRow,
  type StoredDelivery,
} from '../../metadata/queries/alerts/deliveries.ts'
import { alertById } from '../../metadata/queries/alerts/rules.ts'
import type { Services } from '../services.ts'
import { getAlert } from './alerts.ts'
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

/** Adds a message without a face. Throws NOT_FOUND. */
export async function testAlert(
  { database, now, events }: Pick<Services, 'database' | 'now' | 'events'>,
  { owner, id }: Change<'alert.test'>,
): Promise<RpcResponse<'alert.test'>> {
  if (!(await alertById(database, owner, id))) throw new ServiceError('NOT_FOUND')
  const nothing = { face: null, event: null, person: null, matches: [] }
  const times = { created: now() * 1000, due: now() }
  const inserted = await insertDelivery(database, owner, { alert: id, ...nothing, ...times })
  events.wake(owner)
  return { delivery: deliveryAnswer(inserted) }
}

const timeOf = (millis: number): string => timestampText(millis * 1000)

/** Delivery of a response. Fields that do not apply are absent. */
const deliveryAnswer = ({
  id,
  face,
  event,
  state,
  created,
  attempts,
  due,
  ended,
  fault,
}: StoredDelivery): Delivery => ({
  id,
  message_id: messageId(id),
  type: face === null ? 'test' : 'face.seen',
  state,
  created: timestampText(created),
  attempts,
  ...(event === null ? {} : { event_id: event }),
  ...(face === null ? {} : { face_id: face }),
  ...(state === 'pending' ? { next_attempt: timeOf(due) } : {}),
  ...(ended === null ? {} : { ended: timeOf(ended) }),
  ...(fault === null ? {} : { fault }),
})
