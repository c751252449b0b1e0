/** POST /alert/id/<id>/test, GET /alert/id/<id>/deliveries and POST .../deliveries/<id>/retry: messages of alert rules. */
import * as z from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { DELIVERY_STATES, DeliverySchema } from '../../../contract/model/alert.ts'
import { changedBy } from '../../admission/tokens.ts'
import { PageLinks } from '../../http/links.ts'
import { omitUndefined } from '../../parameters/omit-undefined.ts'
import { integer, optional, withDefault } from '../../parameters/parameter-fields.ts'
import { alertInPath, alertOf, numberInPath, numberOf } from '../../parameters/path-ids.ts'
import { operation } from '../operation.ts'
import { jsonResponse } from '../route.ts'

const aboutDeliveries = { topic: 'Alerts', refusals: ['NOT_FOUND'] } as const

export const testAlert = operation(
  {
    ...aboutDeliveries,
    name: 'testAlert',
    needs: 'administer',
    method: 'post',
    path: '/alert/id/:id/test',
    aliases: ['/alerts/id/:id/test'],
    summary: 'Send a test message',
    details: 'The message has the type `test` and no face. It is delivered as any other.',
    parameters: z.object({ id: alertInPath }),
    status: 200,
    answer: DeliverySchema,
  },
  async ({ core }, { caller, params }) => {
    const question = { ...changedBy(caller), id: alertOf(params.id) }
    return jsonResponse((await core.call('alert.test', question)).answer.delivery)
  },
)

export const listDeliveries = operation(
  {
    ...aboutDeliveries,
    name: 'listDeliveries',
    needs: 'administer',
    method: 'get',
    path: '/alert/id/:id/deliveries',
    aliases: ['/alerts/id/:id/deliveries'],
    summary: 'List the deliveries of an alert rule, newest first',
    details: `Deliveries that have ended are listed for ${LIMITS.deliveryKeptMs / 86_400_000} days. Deliveries of a deleted face are deleted.`,
    parameters: z.object({
      id: alertInPath,
      state: optional(z.enum(DELIVERY_STATES, `one of ${DELIVERY_STATES.join(', ')}`)),
      max_id: optional(integer(0, Number.MAX_SAFE_INTEGER)),
      limit: withDefault(integer(1, LIMITS.pageSize), LIMITS.defaultPageSize),
    }),
    status: 200,
    answer: z.strictObject({ results: z.array(DeliverySchema), next_page: PageLinks.next_page }),
  },
  async ({ core }, { caller, params: { id, state, max_id, limit }, path }) => {
    const page = { limit, ...omitUndefined('state', state) }
    const question = { owner: caller.owner, id: alertOf(id), ...page, ...omitUndefined('maxId', max_id) }
    const { deliveries, older } = (await core.call('deliveries.page', question)).answer
    const query = Object.entries({ ...page, max_id: deliveries.at(-1)?.id }).map(([name, value]) => [
      name,
      String(value),
    ])
    return jsonResponse({
      results: deliveries,
      next_page: older ? `${path}?${new URLSearchParams(query)}` : null,
    })
  },
)

export const retryDelivery = operation(
  {
    ...aboutDeliveries,
    name: 'retryDelivery',
    needs: 'administer',
    method: 'post',
    path: '/alert/id/:id/deliveries/:delivery/retry',
    aliases: ['/alerts/id/:id/deliveries/:delivery/retry'],
    summary: 'Send a failed delivery again',
    details:
      'It keeps its `webhook-id`, and is attempted for 24 hours again. BAD_PARAM for a delivery that has not failed.',
    parameters: z.object({ id: alertInPath, delivery: numberInPath }),
    status: 200,
    answer: DeliverySchema,
  },
  async ({ core }, { caller, params }) => {
    const ids = { id: alertOf(params.id), delivery: numberOf(params.delivery) }
    return jsonResponse((await core.call('delivery.retry', { ...changedBy(caller), ...ids })).answer.delivery)
  },
)
