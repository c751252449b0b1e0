/** Events of cameras, past and live; and as evidence: a file that others can verify, and the keys that sign it. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { EVENT_LIMITS, EVIDENCE_LIMITS } from '../limits/events.ts'
import { AlertDataSchema } from '../model/alert.ts'
import { FaceSchema } from '../model/face.ts'
import {
  EventId,
  EvidenceKeySchema,
  type HistoryEvent,
  HistoryEventSchema,
  HistoryFilter,
  PersonHistoryEntrySchema,
} from '../model/history.ts'
import { TokenId } from '../model/token.ts'
import { TIME_ZONE_LENGTH } from '../parameters/alerts.ts'
import { boolean, optional, text, withDefault } from '../parameters/fields.ts'
import { cameraFilter, gallery, id, numberInPath } from '../parameters/ids.ts'
import { filterOf, filterQuery, sightingParameters, timeParameters } from '../parameters/pages.ts'
import { change, ownedCall, stream } from '../rpc/message.ts'
import { Natural } from '../scalars.ts'
import { ALERT_DATA } from './alerts.ts'
import { CAMERA_DIGITS, FACE, FACE_BOX, FACE_ID, PHOTO_HASH, picture, TIMESTAMP } from './examples.ts'
import { type ApiCall, operationOf, resultsOf } from './operation.ts'

const operation = operationOf('History')

const eventParameters = { cam_ids: withDefault(cameraFilter, []), ...timeParameters }

const searchParameters = z.object({
  ...eventParameters,
  ...sightingParameters,
  gallery: optional(gallery),
  limit: withDefault(id, 0),
  max_id: optional(id),
})
type SearchCall = ApiCall<z.output<typeof searchParameters>>

const event = {
  id: FACE_ID,
  friend: false,
  meta: 'Ann',
  photo_hash: PHOTO_HASH,
  photo: 'ann.jpg',
  cam_id: CAMERA_DIGITS,
  person_id: 7,
  timestamp: TIMESTAMP,
  ...FACE_BOX,
}

const search = {
  permission: 'read',
  path: '/history/search',
  summary: 'List the events of cameras, newest first',
  details:
    'An event is a face that was posted with a `cam_id`. Without a `limit`, or with 0, the response contains all events. ' +
    '`next_page` is absent on the last page. It supports GET and POST.',
  parameters: searchParameters.shape,
  answer: z.strictObject({ results: z.array(HistoryEventSchema), next_page: z.string().optional() }),
  example: { results: [event] },
  // Events of all cameras, newest first.
  core: stream('history.search', {
    words: 'looked at the events of cameras',
    request: {
      filter: HistoryFilter,
      /** Only events below this id. */
      maxId: FaceId.optional(),
      /** 0: no limit. */
      limit: Natural,
    },
    item: HistoryEventSchema,
    /** Whether there are older events. */
    end: { older: z.boolean() },
    views: ({ filter: { personId } }) => (personId === undefined ? undefined : { person: personId }),
  }),
  toRequest: ({ params }: SearchCall) => ({
    filter: { ...filterOf(params.cam_ids, params), gallery: params.gallery },
    limit: params.limit,
    maxId: params.max_id,
  }),
  /** The query of the next page has the filter of this page. */
  toTail({ older }: { older: boolean }, last: HistoryEvent | undefined, { params, path }: SearchCall) {
    const { cam_ids, gallery, limit } = params
    if (!older || !last) return {}
    const query = new URLSearchParams({
      ...filterQuery({ cam_ids }, params),
      ...(gallery !== undefined && { gallery }),
      limit: String(limit),
      max_id: String(last.id),
    })
    return { next_page: `${path}?${query}` }
  },
} as const

/** Header of a request that continues a stream. */
export const LAST_EVENT_ID = 'Last-Event-ID'

/** Content type of Server-Sent Events. An example with it is a list of events. */
export const EVENT_STREAM = 'text/event-stream'

const MINUTES = EVENT_LIMITS.streamMs / 60_000
const HOURS = EVENT_LIMITS.ageMs / 3_600_000

const keyOperation = operationOf('Service')

const key = {
  id: 1,
  public_key: `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA${'A'.repeat(44)}\n-----END PUBLIC KEY-----\n`,
  created: TIMESTAMP,
  signs: true,
}

export const eventOperations = {
  personHistory: operation({
    client: 'persons.history',
    method: 'get',
    path: '/person/history/id/:id',
    aliases: ['/persons/history/id/:id'],
    permission: 'read',
    summary: 'List the camera events of a person, newest first',
    details: 'The query string or a body may contain the parameters.',
    parameters: { id: numberInPath, ...eventParameters },
    answer: resultsOf(PersonHistoryEntrySchema),
    example: {
      results: [
        {
          person_id: 7,
          face_id: FACE_ID,
          cam_id: CAMERA_DIGITS,
          meta: 'Ann',
          screenshot: picture('thumbnail.jpg'),
          timestamp: TIMESTAMP,
        },
      ],
    },
    refusals: ['NOT_FOUND'],
    // NOT_FOUND when the owner does not have this person.
    core: stream('person.history', {
      words: 'looked at where a person was seen',
      request: { filter: HistoryFilter.omit({ gallery: true }).required({ personId: true }) },
      item: PersonHistoryEntrySchema,
      views: ({ filter }) => ({ person: filter.personId }),
    }),
    toRequest: ({ params }) => ({
      filter: { ...filterOf(params.cam_ids, params), personId: params.id },
    }),
    toItem: (entry, { origin }) => ({ ...entry, screenshot: entry.screenshot && origin + entry.screenshot }),
  }),

  searchHistory: operation({ ...search, method: 'post' }),

  browseHistory: operation({ ...search, method: 'get', client: 'history.search' }),

  followEvents: operation({
    method: 'get',
    path: '/events',
    permission: 'read',
    summary: 'Follow the events of cameras as they arrive',
    details:
      'An event is a face that was posted with a `cam_id`. The answer is a stream of Server-Sent Events, in the order in which the ' +
      'faces were stored. Each event has the type `face`, an `id`, and the face as JSON, with the fields of `GET /face/id/<id>`. ' +
      'Its links to pictures expire as usual. A face comes again, with `updated`, when a better picture of the same visit has replaced ' +
      'its picture, or when its snapshot or clip is there, which `added` names.\n\n' +
      'With `alerts=true`, alerts of the [rules](#tag/Alerts) come, too: events of the type `alert` with `AlertData` as JSON, as ' +
      'messages to webhooks have it. They are those about faces of the filter, and tests. An alert comes after its event.\n\n' +
      `A stream begins with the events from now on. It ends after ${MINUTES} minutes at the latest: connect again with the last ` +
      `\`id\` in the header \`${LAST_EVENT_ID}\` or the parameter \`last_event_id\`. The stream then begins with the event after it. ` +
      'No event is missing or repeated, except events of deleted faces. An id after which events are older ' +
      `than ${HOURS} hours is refused. Comments and events with an \`id\` only come every ${EVENT_LIMITS.heartbeatMs / 1000} seconds ` +
      'while there is no event.\n\n' +
      `An owner may have ${EVENT_LIMITS.streamsPerOwner} streams at each core. A revoked token ends its streams.`,
    parameters: {
      cam_ids: withDefault(cameraFilter, []),
      person_id: optional(id),
      gallery: optional(gallery),
      friend: optional(boolean),
      alerts: withDefault(boolean, false),
      last_event_id: optional(id),
    },
    requestHeaders: {
      [LAST_EVENT_ID]: {
        type: 'integer',
        description: 'The last `id` that the receiver knows. It takes precedence over `last_event_id`.',
      },
    },
    answer: z.string(),
    answerType: EVENT_STREAM,
    example: [
      { id: 1795341444539000, type: 'face', data: FACE },
      { id: 1795341444601000, type: 'alert', data: ALERT_DATA },
    ],
    // Live events, oldest first. It ends after EVENT_LIMITS.streamMs, or with core. BAD_PARAM for an unknown
    // gallery and for a position that is too old; RATE_LIMITED.
    core: stream('events.follow', {
      request: {
        /** The stream ends when this token is no longer valid. */
        token: TokenId,
        filter: HistoryFilter.omit({ start: true, end: true }),
        /** Only events after this one. Absent: only events from now on. */
        after: EventId.optional(),
        /** Alerts, too: those about faces of the filter, and tests. */
        alerts: z.boolean().optional(),
      },
      /** An event or an alert; with neither, all up to this position were sent. */
      item: z.strictObject({
        id: EventId,
        face: FaceSchema.optional(),
        alert: AlertDataSchema.optional(),
      }),
    }),
  }),

  exportEvidence: operation({
    client: 'history.evidence',
    method: 'post',
    path: '/evidence',
    permission: 'read',
    summary: 'Export events as evidence',
    details:
      'A ZIP file with the pictures, snapshots and clips of the events, `events.csv` with their times in the zone and in UTC, ' +
      '`manifest.json` with the SHA-256 of each file, `manifest.sig`, its Ed25519 signature, and `public-key.pem`. The audit log ' +
      `records the export. More than ${EVIDENCE_LIMITS.events} events are \`BAD_PARAM\`. Files above ${EVIDENCE_LIMITS.bytes / 2 ** 20} MB in ` +
      'all, and files that were deleted, are `omitted` in the manifest. ' +
      `An owner may have ${EVIDENCE_LIMITS.exportsPerOwner} exports at once at each core.`,
    parameters: {
      event_id: optional(id).describe('The event of this face alone.'),
      cam_ids: withDefault(cameraFilter, []),
      ...timeParameters,
      ...sightingParameters,
      gallery: optional(gallery),
      time_zone: optional(text(TIME_ZONE_LENGTH)).describe(
        'The zone of the site, for example `Europe/Berlin`. Default: the zone of the service.',
      ),
    },
    answer: z.string().meta({ format: 'binary' }),
    answerType: 'application/zip',
    example: '(a ZIP file)',
    headers: { 'Content-Disposition': '`attachment` with the name of the file' },
    refusals: ['NOT_FOUND'],
    // NOT_FOUND without an event; BAD_PARAM for too many, an unknown gallery and an unknown time zone.
    core: stream('evidence.export', {
      words: 'exported evidence',
      request: {
        by: TokenId,
        event: FaceId.optional(),
        filter: HistoryFilter,
        timeZone: z.string().optional(),
      },
      /** The next bytes of the file, in base64. */
      item: z.strictObject({ bytes: z.string() }),
      audit: ({ event, filter: { personId, cameras, gallery, start, end } }) => ({
        face: event,
        person: personId,
        gallery,
        start,
        end,
        ...(cameras.length === 1 ? { camera: cameras[0] } : { cameras: cameras.length || undefined }),
      }),
    }),
    toRequest: ({ params: { event_id, cam_ids, gallery, time_zone, ...params } }) => ({
      event: event_id,
      filter: { ...filterOf(cam_ids, params), gallery },
      timeZone: time_zone,
    }),
  }),

  listEvidenceKeys: keyOperation({
    client: 'service.evidenceKeys',
    method: 'get',
    path: '/evidence/keys',
    permission: 'read',
    summary: 'List the public keys of evidence, newest first',
    details: 'The newest key signs. Keep a copy of it elsewhere: evidence is verified with it.',
    answer: resultsOf(EvidenceKeySchema),
    example: { results: [key] },
    core: ownedCall('evidence.keys', { request: {}, response: { keys: z.array(EvidenceKeySchema) } }),
  }),

  renewEvidenceKey: keyOperation({
    client: 'service.renewEvidenceKey',
    method: 'post',
    path: '/evidence/keys',
    permission: 'administer',
    summary: 'Make a new key that signs evidence',
    details:
      'The key belongs to the service. FORBIDDEN for one of several owners. Evidence that an earlier key has signed stays valid.',
    status: 201,
    answer: EvidenceKeySchema,
    example: key,
    core: change('evidence.key', {
      words: 'made a new key that signs evidence',
      request: {},
      response: { key: EvidenceKeySchema },
      audit: (_, { key }) => ({ key: key.id }),
      replay: 'evidence key',
    }),
  }),
}
