/** The alerts that the service keeps, and who saw them. */
import { ServiceError } from '../../../contract/errors.ts'
import type { AlertHistoryEntry } from '../../../contract/model/alert.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { alertHistory, markSeen, unseenCount } from '../../metadata/alerts/alert-history.ts'
import type { StoredDelivery } from '../../metadata/alerts/deliveries.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import type { Services } from '../services.ts'
import { alertDataOf } from './signed-message.ts'

/** One page, newest first. An alert whose face is deleted meanwhile is left out. */
export async function listAlertHistory(
  services: Services,
  { owner, filter, limit, ...page }: RpcRequest<'alerts.history'>,
): Promise<RpcResponse<'alerts.history'>> {
  const { database } = services
  const rows = await alertHistory(database, friendRule(services), owner, filter, {
    ...page,
    limit: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const data = await alertDataOf(services, owner, shown)
  const alerts = shown.flatMap(({ id, created, ...mark }): AlertHistoryEntry[] => {
    const alert = data.get(id)
    return alert ? [{ id, created: timestampText(created), ...alert, ...seenAnswer(mark) }] : []
  })
  const unseen = await unseenCount(database, owner)
  return { alerts, older: rows.length > limit, last: shown.at(-1)?.id ?? 0, unseen }
}

/** Throws NOT_FOUND. */
export async function markAlertSeen(
  { database, now }: Pick<Services, 'database' | 'now'>,
  { owner, by, id, seen, earlier }: Change<'alert.seen'> & { by: string },
): Promise<RpcResponse<'alert.seen'>> {
  const marked = await markSeen(database, owner, {
    id,
    by,
    seen: seen ? now() * 1000 : null,
    earlier: earlier && seen,
  })
  if (!marked) throw new ServiceError('NOT_FOUND')
  return { ...seenAnswer(marked), unseen: await unseenCount(database, owner) }
}

const seenAnswer = ({ seen, seenBy }: Pick<StoredDelivery, 'seen' | 'seenBy'>) =>
  seen === null ? {} : { seen: { by: seenBy ?? '', time: timestampText(seen) } }

export const alertHistoryHandlers = { 'alerts.history': listAlertHistory, 'alert.seen': markAlertSeen }
