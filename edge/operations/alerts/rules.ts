/** POST and GET /alerts, GET, PUT and DELETE /alert/id/<id>, POST /alert/id/<id>/secret: alert rules. */
import * as z from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { AlertSchema, NewSecretSchema, SetAlertSchema } from '../../../contract/model/alert.ts'
import { changedBy } from '../../admission/tokens.ts'
import { alertInPath, alertOf } from '../../parameters/path-ids.ts'
import { operation } from '../operation.ts'
import { jsonResponse, noContent } from '../route.ts'
import { alertParameters, alertSettings } from './settings.ts'

const ById = z.object({ id: alertInPath })

const byId = {
  path: '/alert/id/:id',
  aliases: ['/alerts/id/:id'],
  topic: 'Alerts',
  refusals: ['NOT_FOUND'],
} as const

const HOURS = LIMITS.webhookSecretMs / 3_600_000

export const createAlert = operation(
  {
    name: 'createAlert',
    needs: 'administer',
    method: 'post',
    path: '/alerts',
    topic: 'Alerts',
    summary: 'Create an alert rule',
    details:
      'The rule posts a message to `url` for each face of a camera that meets all its conditions, from now on. Without `url`, its alerts ' +
      'are only in the live events (`GET /events?alerts=true`), which have those of all rules. Messages are signed by ' +
      'the Standard Webhooks specification with `secret`, which no other answer shows. A message arrives at least once; `webhook-id` ' +
      'tells repeats. Failed attempts are repeated for 24 hours. Addresses that are not public are not reached.',
    parameters: z.object(alertParameters),
    status: 201,
    answer: SetAlertSchema,
  },
  async ({ core }, { caller, params, origin }) => {
    const question = { ...changedBy(caller), alert: alertSettings(params), origin }
    return jsonResponse((await core.call('alert.create', question)).answer.alert, 201)
  },
)

export const listAlerts = operation(
  {
    name: 'listAlerts',
    needs: 'administer',
    method: 'get',
    path: '/alerts',
    topic: 'Alerts',
    summary: 'List all alert rules, oldest first',
    parameters: z.object({}),
    status: 200,
    answer: z.strictObject({ results: z.array(AlertSchema) }),
  },
  async ({ core }, { caller }) =>
    jsonResponse({ results: (await core.call('alerts.list', { owner: caller.owner })).answer.alerts }),
)

export const getAlert = operation(
  {
    ...byId,
    name: 'getAlert',
    needs: 'administer',
    method: 'get',
    summary: 'Get an alert rule',
    parameters: ById,
    status: 200,
    answer: AlertSchema,
  },
  async ({ core }, { caller, params }) => {
    const question = { owner: caller.owner, id: alertOf(params.id) }
    return jsonResponse((await core.call('alert.get', question)).answer.alert)
  },
)

export const changeAlert = operation(
  {
    ...byId,
    name: 'changeAlert',
    needs: 'administer',
    method: 'put',
    summary: 'Replace the settings of an alert rule',
    details:
      'Replaces all settings: an absent condition is removed. A rule that becomes enabled begins with the faces from now on. The ' +
      'secret stays; a rule that gets its first `url` has a new `secret` in the answer. Pending messages of a rule that is not enabled ' +
      'wait, and those of a rule without `url` fail.',
    parameters: z.object({ ...ById.shape, ...alertParameters }),
    status: 200,
    answer: SetAlertSchema,
  },
  async ({ core }, { caller, params: { id, ...params }, origin }) => {
    const question = { ...changedBy(caller), id: alertOf(id), alert: alertSettings(params), origin }
    return jsonResponse((await core.call('alert.update', question)).answer.alert)
  },
)

export const deleteAlert = operation(
  {
    ...byId,
    name: 'deleteAlert',
    needs: 'administer',
    method: 'delete',
    summary: 'Delete an alert rule with its deliveries',
    parameters: ById,
    status: 204,
  },
  async ({ core }, { caller, params }) => {
    await core.call('alert.delete', { ...changedBy(caller), id: alertOf(params.id) })
    return noContent()
  },
)

export const rotateAlertSecret = operation(
  {
    name: 'rotateAlertSecret',
    needs: 'administer',
    method: 'post',
    path: '/alert/id/:id/secret',
    aliases: ['/alerts/id/:id/secret'],
    topic: 'Alerts',
    refusals: ['NOT_FOUND'],
    summary: 'Replace the secret of an alert rule',
    details:
      `For ${HOURS} hours, messages carry signatures of the new secret and of the previous one. At most ${LIMITS.webhookSecrets} ` +
      'secrets sign: more rotations within this time end the oldest.',
    parameters: ById,
    status: 200,
    answer: NewSecretSchema,
  },
  async ({ core }, { caller, params }) => {
    const question = { ...changedBy(caller), id: alertOf(params.id) }
    return jsonResponse((await core.call('alert.secret', question)).answer)
  },
)
