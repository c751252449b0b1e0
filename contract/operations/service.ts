/** Operations for operators: the audit log, the state of the service, and its settings. */
import * as z from 'zod'
import { AUDIT_OBJECTS } from '../audit-objects.ts'
import { FACE_LIMITS } from '../limits/faces.ts'
import { STORE_LIMITS } from '../limits/store.ts'
import { AuditEntrySchema, AuditVerificationSchema } from '../model/audit-log.ts'
import {
  SETTING_NAMES,
  ServiceSettingsSchema,
  ServiceStateSchema,
  type SettingName,
  SettingsSchema,
} from '../model/service-state.ts'
import {
  asNumber,
  boolean,
  field,
  integer,
  nameList,
  optional,
  withDefault,
  word,
} from '../parameters/fields.ts'
import { id } from '../parameters/ids.ts'
import { openapiOverrides } from '../parameters/json-schema.ts'
import { filterQuery, timeParameters } from '../parameters/pages.ts'
import { call, change, ownedCall } from '../rpc/message.ts'
import { Natural, Positive } from '../scalars.ts'
import { TIMESTAMP } from './examples.ts'
import { operationOf } from './operation.ts'

const operation = operationOf('Service')

const settings = {
  settings: [{ name: 'person_identify', value: true, origin: 'setting', initial: false }],
}

/** Parsers of the values of settings. */
export const SETTING_FIELDS = {
  person_identify: boolean.describe('New faces get persons.'),
  person_identify_global: boolean.describe(
    'Faces are compared with the faces of all cameras. Otherwise only with faces of the same camera.',
  ),
  person_identify_threshold: field(value => {
    if (word(value)?.toLowerCase() === 'off') return null
    const given = asNumber(value)
    return given >= 0 && given <= 1 ? given : undefined
  }, 'a number from 0 to 1, or off').register(openapiOverrides, {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', enum: ['off'] },
    ],
    description:
      'The least confidence with which a face joins a person; below it, the face gets a new person. `off`: a face joins a certain ' +
      'person, and has a probable one as `candidate`.',
  }),
  record_searches: boolean.describe(
    'The audit log records searches, comparisons, lists of faces and views of persons.',
  ),
  backup_hours: integer(0, STORE_LIMITS.backupHours).describe(
    'Hours between two backups at the place that the start of the service names. 0: only on request.',
  ),
  watch_cameras: boolean.describe(
    'A watcher beside the service reads the cameras of its first owner. `mien start` runs it.',
  ),
} as const satisfies Record<SettingName, z.ZodType>

const isSettingName = (name: string): name is SettingName => (SETTING_NAMES as string[]).includes(name)

const service = { method: 'get', permission: 'administer' } as const

const textLike = (pattern: RegExp, expected: string) =>
  field(value => (typeof value === 'string' && pattern.test(value) ? value : undefined), expected).register(
    openapiOverrides,
    { type: 'string', pattern: pattern.source },
  )

const OBJECT_WORDS = Object.keys(AUDIT_OBJECTS)

const auditFilter = {
  actor: optional(
    textLike(/^((user|token) [0-9a-f]{12}|operator|service)$/, 'user ID, token ID, operator or service'),
  ).describe('Who did it: `user ID`, `token ID`, `operator` or `service`.'),
  action: optional(textLike(/^[a-z.-]{1,64}$/, 'the name of an action')),
  object: optional(
    textLike(
      new RegExp(`^(${OBJECT_WORDS.join('|')}) [\\w-]{1,64}$`),
      `${OBJECT_WORDS.join(', ')}, and an id`,
    ),
  ).describe(
    'What it was done to, for example `person 7`: also entries that name it in a list, such as merges.',
  ),
}

export const serviceOperations = {
  listAuditLog: operation({
    client: 'service.auditLog',
    ...service,
    path: '/audit-log',
    summary: 'List the changes of the data of the owner, newest first',
    details: 'Entries have a `seq` below `max_seq`. `next_page` is null on the last page.',
    parameters: {
      ...auditFilter,
      ...timeParameters,
      limit: withDefault(integer(1, FACE_LIMITS.pageSize), FACE_LIMITS.defaultPageSize),
      max_seq: optional(id),
    },
    answer: z.strictObject({ results: z.array(AuditEntrySchema), next_page: z.string().nullable() }),
    example: {
      results: [
        {
          seq: 812,
          time: TIMESTAMP,
          actor: 'token 5f0c1d2e3a4b',
          action: 'token.create',
          subject: { token: '4e1b6a0f9c2d' },
          names: { token: 'front desk' },
        },
      ],
      next_page: null,
    },
    core: ownedCall('audit.page', {
      request: {
        actor: z.string().optional(),
        action: z.string().optional(),
        object: z.string().optional(),
        start: z.number().optional(),
        end: z.number().optional(),
        maxSeq: Natural.optional(),
        limit: Positive.max(FACE_LIMITS.pageSize),
      },
      response: { entries: z.array(AuditEntrySchema), older: z.boolean() },
    }),
    toBody({ entries, older }, { params: { limit, max_seq: _, actor, action, object, ...times }, path }) {
      const last = entries.at(-1)
      const given = Object.entries({ actor, action, object, ...filterQuery({}, times) })
      const query = new URLSearchParams([
        ...given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ['limit', String(limit)],
        ['max_seq', String(last?.seq)],
      ] as [string, string][])
      return { results: entries, next_page: older && last ? `${path}?${query}` : null }
    },
  }),

  verifyAuditLog: operation({
    client: 'service.verifyAuditLog',
    ...service,
    path: '/audit-log/verification',
    summary: 'Verify the chain of the audit log',
    details:
      'The chain covers the entries of all owners: each entry has a hash over itself and the entry before. A request verifies ' +
      `${STORE_LIMITS.auditVerified} further entries. Repeat it until \`verified_to\` equals \`last\`. A complete verification begins again ` +
      `after ${STORE_LIMITS.auditVerifiedMs / 60_000} minutes.`,
    answer: AuditVerificationSchema,
    example: { intact: true, verified_from: 1, verified_to: 812, last: 812, since: TIMESTAMP },
    core: call('audit.verify', { request: {}, response: { verification: AuditVerificationSchema } }),
  }),

  getService: operation({
    client: 'service.get',
    ...service,
    path: '/service',
    summary: 'Get the state of the service',
    details:
      'Version, models, calibration, shards, backups, drills and response times, as the core sees them that answers.',
    answer: ServiceStateSchema,
    example: {
      version: '0.3.0',
      pack: 'standard',
      embedder: 'standard-1',
      started: TIMESTAMP,
      disk_full: false,
      shards: { live: 1, total: 1, available: [true] },
      has_watcher: true,
      calibration: {
        table: 'default',
        thresholds: [{ name: 'medium', confidence: 0.6616, fmr: 0.001, tmr: 0.99 }],
        curve: [
          { score: 0.1, confidence: 0.2 },
          { score: 0.9, confidence: 0.9 },
        ],
      },
      backup: {},
      durations: [{ operation: 'identify', p50: 0.12, p99: 0.4 }],
    },
    core: call('service.get', { request: {}, response: { service: ServiceStateSchema } }),
  }),

  requestBackup: operation({
    client: 'service.requestBackup',
    ...service,
    method: 'post',
    path: '/backups',
    summary: 'Ask for a backup now',
    details:
      'The backup begins within seconds. The state of the service tells when it is complete. NOT_FOUND when the start of the service names ' +
      'no place for backups, FORBIDDEN for one of several owners.',
    refusals: ['NOT_FOUND'],
    core: change('backup.request', {
      words: 'asked for a backup',
      request: {},
      response: {},
      audit: () => ({}),
    }),
  }),

  getSettings: operation({
    client: 'service.settings',
    ...service,
    path: '/settings',
    summary: 'List the settings that can be changed while the service runs',
    answer: ServiceSettingsSchema,
    example: settings,
    core: call('settings.get', { request: {}, response: { settings: ServiceSettingsSchema } }),
  }),

  changeSettings: operation({
    client: 'service.changeSettings',
    ...service,
    method: 'put',
    path: '/settings',
    summary: 'Change settings of the service',
    details:
      'A change is stored, reaches all cores within seconds, and wins over facenapi.ini and the environment until it is reset. FORBIDDEN ' +
      'for one of several owners.',
    parameters: {
      person_identify: optional(SETTING_FIELDS.person_identify),
      person_identify_global: optional(SETTING_FIELDS.person_identify_global),
      person_identify_threshold: optional(SETTING_FIELDS.person_identify_threshold),
      record_searches: optional(SETTING_FIELDS.record_searches),
      backup_hours: optional(SETTING_FIELDS.backup_hours),
      watch_cameras: optional(SETTING_FIELDS.watch_cameras),
      reset: optional(
        nameList(SETTING_NAMES.length, isSettingName, `names of ${SETTING_NAMES.join(', ')}`).register(
          openapiOverrides,
          { type: 'array', items: { type: 'string', enum: SETTING_NAMES } },
        ),
      ).describe('Settings that get their initial value again.'),
    },
    answer: ServiceSettingsSchema,
    example: settings,
    core: change('settings.update', {
      words: 'changed a setting',
      request: { settings: SettingsSchema.partial(), reset: z.array(z.enum(SETTING_NAMES)) },
      response: { settings: ServiceSettingsSchema },
      audit: ({ settings: { person_identify_threshold: threshold, ...settings }, reset }) => ({
        ...settings,
        person_identify_threshold: threshold === null ? 'off' : threshold,
        ...Object.fromEntries(reset.map(name => [name, 'reset'])),
      }),
    }),
    toRequest: ({ params: { reset = [], ...settings } }) => ({
      settings,
      reset: reset.filter(isSettingName),
    }),
  }),
}
