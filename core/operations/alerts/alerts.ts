/** Alert rules: creates, reads, lists, changes and deletes them, and rotates their secrets. Lists the alerts that the service keeps. */
import { randomBytes } from 'node:crypto'
import { environment } from '../../../contract/environment.ts'
import { badParam, ServiceError, wrongValue } from '../../../contract/errors.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import type { Alert, AlertHistoryEntry, AlertSettings } from '../../../contract/model/alert.ts'
import { omitNull } from '../../../contract/omit-undefined.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { alertHistory, markSeen, unseenCount } from '../../metadata/alerts/alert-history.ts'
import type { StoredDelivery } from '../../metadata/alerts/deliveries.ts'
import {
  alertById,
  alertsOf,
  deleteAlert as deleteAlertRow,
  insertAlert,
  type StoredAlert,
  updateAlert,
} from '../../metadata/alerts/rules.ts'
import { newestEvent } from '../../metadata/events/events.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { isWebUrl } from '../../network/target.ts'
import { checkGalleries } from '../galleries/galleries.ts'
import type { Metadata, Services } from '../services.ts'
import { isTimeZone } from './conditions.ts'
import { expectedUrl } from './phone-messages.ts'
import { alertDataOf, currentSecrets } from './signed-message.ts'

type AlertServices = Pick<Services, 'database' | 'ownerLock' | 'now'>

/** The Standard Webhooks specification allows 24 to 64 bytes. */
const SECRET_BYTES = 32

/** The `url` of a stored rule whose alerts are in live streams only. */
export const NO_WEBHOOK = ''

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Creates a rule for events from now on. Throws BAD_PARAM. */
export async function createAlert(
  { database, now }: AlertServices,
  { owner, alert, origin }: Change<'alert.create'>,
): Promise<RpcResponse<'alert.create'>> {
  const settings = await checkedSettings(database, owner, alert)
  const secret = newSecret()
  const hasWebhook = settings.url !== NO_WEBHOOK
  const stored = {
    id: environment.id().replaceAll('-', ''),
    owner,
    created: now() * 1000,
    ...settings,
    secrets: hasWebhook ? [{ secret, ends: null }] : [],
    origin,
    position: await newestEvent(database, owner),
  }
  if (!(await insertAlert(database, owner, stored, ALERT_LIMITS.rules)))
    throw badParam(
      'name',
      alert.name,
      `There are ${ALERT_LIMITS.rules} alert rules already. Delete one first.`,
    )
  return { alert: { ...alertAnswer(stored), ...(hasWebhook && { secret }) } }
}

/** Throws NOT_FOUND when the owner does not have this rule. */
export async function getAlert(
  { database }: Metadata,
  { owner, id }: RpcRequest<'alert.get'>,
): Promise<RpcResponse<'alert.get'>> {
  return { alert: alertAnswer(requireRule(await alertById(database, owner, id))) }
}

/** All rules of the owner, oldest first. */
export async function listAlerts(
  { database }: Metadata,
  { owner }: RpcRequest<'alerts.list'>,
): Promise<RpcResponse<'alerts.list'>> {
  return { alerts: (await alertsOf(database, owner)).map(alertAnswer) }
}

/**
 * Replaces all settings. A rule that becomes enabled begins with the events from now on. The first webhook of a rule has a new
 * secret. Throws NOT_FOUND and BAD_PARAM.
 */
export const changeAlert = (
  { database, ownerLock }: Pick<Services, 'database' | 'ownerLock'>,
  { owner, id, alert, origin }: Change<'alert.update'>,
): Promise<RpcResponse<'alert.update'>> =>
  ownerLock(owner, async revision => {
    const { enabled, secrets } = requireRule(await alertById(database, owner, id))
    const settings = await checkedSettings(database, owner, alert)
    const isWoken = alert.enabled && !enabled
    const position = isWoken ? { position: await newestEvent(database, owner) } : {}
    const secret = newSecret()
    const isFirst = settings.url !== NO_WEBHOOK && secrets.length === 0
    const change = { ...settings, ...position, origin, ...(isFirst && { secrets: [{ secret, ends: null }] }) }
    const changed = requireRule(await updateAlert(database, owner, id, change, revision))
    return { alert: { ...alertAnswer(changed), ...(isFirst && { secret }) } }
  })

/** Deletes a rule with its deliveries. Throws NOT_FOUND. */
export async function deleteAlert(
  { database }: Metadata,
  { owner, id }: Change<'alert.delete'>,
): Promise<RpcResponse<'alert.delete'>> {
  if (!(await deleteAlertRow(database, owner, id))) throw new ServiceError('NOT_FOUND')
  return {}
}

/**
 * Adds a secret. The previous ones sign for ALERT_LIMITS.webhookSecretMs more; of more than ALERT_LIMITS.webhookSecrets, the oldest ends.
 * Throws NOT_FOUND.
 */
export const rotateAlertSecret = (
  { database, ownerLock, now }: AlertServices,
  { owner, id }: Change<'alert.secret'>,
): Promise<RpcResponse<'alert.secret'>> =>
  ownerLock(owner, async revision => {
    const { secrets } = requireRule(await alertById(database, owner, id))
    const secret = newSecret()
    const ends = now() + ALERT_LIMITS.webhookSecretMs
    const previous = currentSecrets(secrets, now()).map(one => ({ ...one, ends: one.ends ?? ends }))
    const kept = [{ secret, ends: null }, ...previous].slice(0, ALERT_LIMITS.webhookSecrets)
    requireRule(await updateAlert(database, owner, id, { secrets: kept }, revision))
    return { secret }
  })

function requireRule(alert: StoredAlert | undefined): StoredAlert {
  if (!alert) throw new ServiceError('NOT_FOUND')
  return alert
}

/** The settings as columns. Throws BAD_PARAM for an unknown gallery or time zone, and an unfit URL. */
async function checkedSettings(
  database: Services['database'],
  owner: string,
  { name, enabled, url, format, browsers = false, ...conditions }: AlertSettings,
): Promise<Pick<StoredAlert, 'name' | 'enabled' | 'url' | 'format' | 'browsers' | 'conditions'>> {
  if (url !== NO_WEBHOOK && !isWebUrl(url))
    throw badParam(
      'url',
      '',
      'url: expected a URL with http or https and without a user name and a password.',
    )
  const expected = format && expectedUrl(format, url)
  if (expected) throw badParam('url', '', `url: the format ${format} needs ${expected}.`)
  if (!isTimeZone(conditions.time_zone))
    throw wrongValue('time_zone', conditions.time_zone, 'the name of a time zone, such as Europe/Berlin')
  if (conditions.gallery !== undefined)
    await checkGalleries({ database }, { owner, galleries: [conditions.gallery], param: 'gallery' })
  return { name, enabled, url, format: format ?? null, browsers, conditions }
}

/** Rule of a response, without its secrets. */
const alertAnswer = ({
  id,
  created,
  name,
  enabled,
  url,
  format,
  browsers,
  conditions,
}: StoredAlert): Alert => ({
  id,
  name,
  enabled,
  url,
  ...omitNull({ format, browsers: browsers || null }),
  ...conditions,
  created: timestampText(created),
})

/** One page, newest first. An alert whose face has just been deleted is left out. */
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

export const alertHandlers = {
  'alert.create': createAlert,
  'alert.get': getAlert,
  'alerts.list': listAlerts,
  'alert.update': changeAlert,
  'alert.delete': deleteAlert,
  'alert.secret': rotateAlertSecret,
  'alerts.history': listAlertHistory,
  'alert.seen': markAlertSeen,
}
