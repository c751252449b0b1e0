/** Evidence: events as one file that others can verify, and the keys that sign it. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { EVIDENCE_LIMITS } from '../limits/events.ts'
import { EvidenceKeySchema, HistoryFilter } from '../model/history.ts'
import { TokenId } from '../model/token.ts'
import { TIME_ZONE_LENGTH } from '../parameters/alerts.ts'
import { optional, text, withDefault } from '../parameters/fields.ts'
import { cameraFilter, gallery, id } from '../parameters/ids.ts'
import { filterOf, sightingParameters, timeParameters } from '../parameters/pages.ts'
import { change, ownedCall, stream } from '../rpc/message.ts'
import { TIMESTAMP } from './examples.ts'
import { operationOf, resultsOf } from './operation.ts'

const operation = operationOf('History')
const keyOperation = operationOf('Service')

const key = {
  id: 1,
  public_key: `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA${'A'.repeat(44)}\n-----END PUBLIC KEY-----\n`,
  created: TIMESTAMP,
  signs: true,
}

export const evidenceOperations = {
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
