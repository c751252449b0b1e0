/** GET /audit-log, GET /audit-log/verification, GET /service: what an operator watches. */
import * as z from 'zod'
import { LIMITS } from '../../contract/limits.ts'
import { AuditEntrySchema, AuditVerificationSchema } from '../../contract/model/audit-log.ts'
import { ServiceStateSchema } from '../../contract/model/service.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { integer, optional, withDefault } from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'
import { jsonResponse } from './route.ts'

export const listAuditLog = operation(
  {
    name: 'listAuditLog',
    needs: 'administer',
    method: 'get',
    path: '/audit-log',
    topic: 'Service',
    summary: 'List the changes of the data of the owner, newest first',
    details: 'Entries have a `seq` below `max_seq`. `next_page` is null on the last page.',
    parameters: z.object({
      limit: withDefault(integer(1, LIMITS.pageSize), LIMITS.defaultPageSize),
      max_seq: optional(integer(0, Number.MAX_SAFE_INTEGER)),
    }),
    status: 200,
    answer: z.strictObject({ results: z.array(AuditEntrySchema), next_page: z.string().nullable() }),
  },
  async ({ core }, { caller: { owner }, params: { limit, max_seq }, path }) => {
    const question = { owner, limit, ...omitUndefined('maxSeq', max_seq) }
    const { entries, older } = (await core.call('audit.page', question)).answer
    const last = entries.at(-1)
    return jsonResponse({
      results: entries,
      next_page: older && last ? `${path}?limit=${limit}&max_seq=${last.seq}` : null,
    })
  },
)

export const verifyAuditLog = operation(
  {
    name: 'verifyAuditLog',
    needs: 'administer',
    method: 'get',
    path: '/audit-log/verification',
    topic: 'Service',
    summary: 'Verify the chain of the audit log',
    details:
      'The chain covers the entries of all owners: each entry has a hash over itself and the entry before. A request verifies ' +
      `${LIMITS.auditVerified} further entries. Repeat it until \`verified_to\` equals \`last\`. A complete verification begins anew ` +
      `after ${LIMITS.auditVerifiedMs / 60_000} minutes.`,
    parameters: z.object({}),
    status: 200,
    answer: AuditVerificationSchema,
  },
  async ({ core }) => jsonResponse((await core.call('audit.verify', {})).answer.verification),
)

export const getService = operation(
  {
    name: 'getService',
    needs: 'administer',
    method: 'get',
    path: '/service',
    topic: 'Service',
    summary: 'Get the state of the service',
    details:
      'Version, models, calibration, shards, backups, drills and response times, as the core sees them that answers.',
    parameters: z.object({}),
    status: 200,
    answer: ServiceStateSchema,
  },
  async ({ core }) => jsonResponse((await core.call('service.get', {})).answer.service),
)
