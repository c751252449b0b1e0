/** The alerts of the last days, who saw them, and the browsers that show them as notifications. */

import * as z from 'zod'
import { ALERT_LIMITS } from '../limits/alerts.ts'
import { FACE_LIMITS } from '../limits/faces.ts'
import {
  AlertHistoryEntrySchema,
  AlertId,
  DeliveryId,
  SeenSchema,
  SubscriptionId,
  SubscriptionsSchema,
  withLinkedFaces,
} from '../model/alert.ts'
import { withLinks } from '../model/face.ts'
import { EventId, HistoryFilter } from '../model/history.ts'
import { TokenId } from '../model/token.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { alertId, subscriptionParameters } from '../parameters/alerts.ts'
import { boolean, integer, optional, withDefault } from '../parameters/fields.ts'
import { alertInPath, cameraFilter, gallery, id, numberInPath } from '../parameters/ids.ts'
import { filterOf, filterQuery, PageLinks, timeParameters } from '../parameters/pages.ts'
import { change, ownedCall } from '../rpc/message.ts'
import { ALERT_DATA } from './alerts.ts'
import { TIMESTAMP } from './examples.ts'
import { operationOf } from './operation.ts'

const operation = operationOf('Alerts')

const seen = { by: 'Ann Lee', time: TIMESTAMP }

const unseen = z.int().min(0).describe('Number of alerts that nobody has seen, whatever the filter.')

const subscription = '9f86d081884c7d659a2feaa0c55ad015'

const DAYS = ALERT_LIMITS.deliveryKeptMs / 86_400_000

export const alertHistoryOperations = {
  listAlertHistory: operation({
    client: 'alerts.history',
    method: 'get',
    path: '/alerts/history',
    permission: 'read',
    summary: 'List the alerts of all rules, newest first',
    details: `Alerts are kept for ${DAYS} days, and go with their faces. Tests are not listed.`,
    parameters: {
      alert: optional(alertId),
      event_id: optional(id),
      cam_ids: withDefault(cameraFilter, []),
      gallery: optional(gallery).describe('Alerts of rules about this gallery, and about faces in it.'),
      seen: optional(boolean),
      ...timeParameters,
      max_id: optional(id),
      limit: withDefault(integer(1, FACE_LIMITS.pageSize), FACE_LIMITS.defaultPageSize),
    },
    answer: z.strictObject({
      results: z.array(AlertHistoryEntrySchema),
      next_page: PageLinks.next_page,
      unseen,
    }),
    example: {
      results: [{ id: 1795341444601000, created: TIMESTAMP, ...ALERT_DATA, seen }],
      next_page: null,
      unseen: 2,
    },
    core: ownedCall('alerts.history', {
      request: {
        filter: HistoryFilter,
        alert: AlertId.optional(),
        event: EventId.optional(),
        seen: z.boolean().optional(),
        maxId: DeliveryId.optional(),
        limit: z.int().min(1).max(FACE_LIMITS.pageSize),
      },
      response: { alerts: z.array(AlertHistoryEntrySchema), older: z.boolean(), last: DeliveryId, unseen },
    }),
    toRequest: ({ params: { alert, event_id, seen, max_id, limit, cam_ids, gallery, ...times } }) => ({
      filter: { ...filterOf(cam_ids, times), gallery },
      alert,
      event: event_id,
      seen,
      limit,
      maxId: max_id,
    }),
    toBody({ alerts, older, last, unseen }, { params, path, origin }) {
      const { alert, event_id, seen, gallery, cam_ids, limit } = params
      const query = new URLSearchParams({
        ...filterQuery({ cam_ids }, params),
        ...omitUndefined({ alert, event_id: event_id?.toString(), gallery, seen: seen?.toString() }),
        limit: String(limit),
        max_id: String(last),
      })
      const results = alerts.map(one => withLinkedFaces(one, face => withLinks(face, origin)))
      return { results, next_page: older ? `${path}?${query}` : null, unseen }
    },
  }),

  markAlertSeen: operation({
    client: 'alerts.markSeen(seen, earlier)',
    method: 'put',
    path: '/alerts/history/:id',
    permission: 'change',
    summary: 'Mark an alert as seen, or take the mark back',
    details: 'The mark has the name of the user or of the token. The first mark stays.',
    parameters: {
      id: numberInPath,
      seen: withDefault(boolean, true),
      earlier: withDefault(boolean, false).describe('With `seen`: mark all earlier unseen alerts, too.'),
    },
    answer: z.strictObject({ seen: SeenSchema.optional(), unseen }),
    example: { seen, unseen: 1 },
    refusals: ['NOT_FOUND'],
    core: change('alert.seen', {
      words: 'marked an alert',
      request: { id: DeliveryId, seen: z.boolean(), earlier: z.boolean().optional() },
      response: { seen: SeenSchema.optional(), unseen },
      audit: ({ id, seen, earlier }) => ({ delivery: id, seen, ...(earlier && { earlier }) }),
    }),
  }),

  listNotifications: operation({
    client: 'alerts.notifications',
    method: 'get',
    path: '/notifications',
    permission: 'read',
    summary: 'List the browsers of the user or token that show notifications',
    details: 'A browser subscribes with `public_key`, the key of the service by RFC 8292.',
    answer: SubscriptionsSchema,
    example: { public_key: `B${'A'.repeat(86)}`, subscriptions: [subscription] },
    core: ownedCall('notifications.list', {
      request: { token: TokenId },
      response: SubscriptionsSchema.shape,
    }),
    toRequest: ({ caller }) => ({ token: caller.token }),
  }),

  subscribeBrowser: operation({
    client: 'alerts.subscribe',
    method: 'post',
    path: '/notifications',
    permission: 'read',
    summary: 'Send notifications to a browser',
    details:
      'The parameters are the fields of a `PushSubscription`. The browser shows the alerts of rules with `browsers`, until the user is ' +
      'removed or the token ends, the session is ended, or the push service forgets the browser. The push service learns when there are messages, and cannot ' +
      `read them. A user or token has at most ${ALERT_LIMITS.browsersOfOne} browsers.`,
    parameters: subscriptionParameters,
    status: 201,
    answer: z.strictObject({ id: SubscriptionId }),
    example: { id: subscription },
    // Another subscription of the browser ends. BAD_PARAM for keys that are none, and for too many browsers.
    core: change('notifications.subscribe', {
      words: 'asked for notifications',
      request: { endpoint: z.string(), p256dh: z.string(), auth: z.string() },
      response: { id: SubscriptionId },
      audit: (_, { id }) => ({ subscription: id }),
    }),
  }),

  unsubscribeBrowser: operation({
    client: 'alerts.unsubscribe',
    method: 'delete',
    path: '/notifications/:id',
    permission: 'read',
    summary: 'Send no more notifications to a browser',
    parameters: { id: alertInPath },
    refusals: ['NOT_FOUND'],
    core: change('notifications.unsubscribe', {
      words: 'ended notifications',
      request: { id: SubscriptionId },
      response: {},
      audit: ({ id }) => ({ subscription: id }),
      disk: 'frees',
      replay: 'browser',
    }),
  }),
}
