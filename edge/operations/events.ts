/** GET /events: live events of cameras, and alerts about them, as Server-Sent Events. */
import * as z from 'zod'
import { unexpected } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { withLinkedFaces } from '../../contract/model/alert.ts'
import type { StreamItem } from '../../contract/rpc/streams.ts'
import { withLinks } from '../http/links.ts'
import { EVENT_STREAM, eventStream, type ServerSentEvent } from '../http/server-sent-events.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import {
  boolean,
  cameraFilter,
  gallery,
  integer,
  optional,
  withDefault,
} from '../parameters/parameter-fields.ts'
import { operation } from './operation.ts'

const eventId = integer(0, Number.MAX_SAFE_INTEGER)
const LAST_EVENT_ID = 'Last-Event-ID'
const MINUTES = LIMITS.eventStreamMs / 60_000
const HOURS = LIMITS.eventAgeMs / 3_600_000

export const followEvents = operation(
  {
    name: 'followEvents',
    needs: 'read',
    method: 'get',
    path: '/events',
    topic: 'History',
    summary: 'Follow the events of cameras as they arrive',
    details:
      'An event is a face that was posted with a `cam_id`. The answer is a stream of Server-Sent Events, in the order in which the ' +
      'faces were stored. Each event has the type `face`, an `id`, and the face as JSON, with the fields of `GET /face/id/<id>`. ' +
      'Its links to pictures expire as usual.\n\n' +
      'With `alerts=true`, alerts of the [rules](#tag/Alerts) come, too: events of the type `alert` with `AlertData` as JSON, as ' +
      'messages to webhooks have it. They are those about faces of the filter, and tests. An alert comes after its event.\n\n' +
      `A stream begins with the events from now on. It ends after ${MINUTES} minutes at the latest: connect again with the last ` +
      `\`id\` in the header \`${LAST_EVENT_ID}\` or the parameter \`last_event_id\`. The stream then begins with the event after it. ` +
      'None is missing, and none is repeated, apart from faces that were deleted meanwhile. An id after which events are older ' +
      `than ${HOURS} hours is refused. Comments and events with an \`id\` only come every ${LIMITS.eventHeartbeatMs / 1000} seconds ` +
      'while there is no event.\n\n' +
      `An owner may have ${LIMITS.eventStreamsPerOwner} streams at each core. A revoked token ends its streams.`,
    parameters: z.object({
      cam_ids: withDefault(cameraFilter, []),
      person_id: optional(integer(0, Number.MAX_SAFE_INTEGER)),
      gallery: optional(gallery),
      friend: optional(boolean),
      alerts: withDefault(boolean, false),
      last_event_id: optional(eventId),
    }),
    requestHeaders: {
      [LAST_EVENT_ID]: {
        type: 'integer',
        description: 'The last `id` that the receiver knows. It takes precedence over `last_event_id`.',
      },
    },
    status: 200,
    answer: z.string(),
    answerType: EVENT_STREAM,
  },
  async ({ core }, { caller, params, origin, header }) => {
    const { cam_ids, person_id, gallery, friend, alerts, last_event_id } = params
    const filter = {
      cameras: cam_ids,
      ...omitUndefined('personId', person_id),
      ...omitUndefined('gallery', gallery),
      ...omitUndefined('friend', friend),
    }
    const items = await core.stream('events.follow', {
      owner: caller.owner,
      token: caller.token,
      filter,
      // A core of an earlier version does not know the field.
      ...(alerts && { alerts }),
      ...omitUndefined('after', afterHeader(header(LAST_EVENT_ID)) ?? last_event_id),
    })
    return eventStream(items, item => messageOf(item, origin))
  },
)

function messageOf({ id, face, alert }: StreamItem<'events.follow'>, origin: string): ServerSentEvent {
  if (face) return { id, type: 'face', data: withLinks(face, origin) }
  if (alert) return { id, type: 'alert', data: withLinkedFaces(alert, one => withLinks(one, origin)) }
  return { id }
}

/** The position in the header; undefined without one. Throws BAD_PARAM. */
function afterHeader(value: string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  const parsed = eventId.safeParse(value)
  if (parsed.success) return parsed.data
  throw unexpected('last_event_id', value, 'the id of an event in the header Last-Event-ID')
}
