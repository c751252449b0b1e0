/** Handlers of operations that do something at the edge. All other operations are forwarded to core. */
import { wrongValue } from '../../contract/errors.ts'
import { SEARCH_LIMITS } from '../../contract/limits/faces.ts'
import { withLinkedFaces } from '../../contract/model/alert.ts'
import { hyphenated } from '../../contract/model/camera.ts'
import { THRESHOLDS, withLinks } from '../../contract/model/face.ts'
import { freshToken } from '../../contract/model/token.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { LAST_EVENT_ID } from '../../contract/operations/events.ts'
import type { StreamItem, StreamRequest } from '../../contract/operations/messages.ts'
import type { Declaration } from '../../contract/operations/operation.ts'
import { DECLARATIONS } from '../../contract/operations/table.ts'
import { id } from '../../contract/parameters/ids.ts'
import { jsonResponse } from '../http/context.ts'
import { eventStream, fileStream, type ServerSentEvent } from '../http/streamed.ts'
import { cameraHandlers } from './cameras.ts'
import { faceHandlers, footageHandlers } from './faces.ts'
import { authorOf, requestOf } from './forward.ts'
import { photoHandlers } from './photos.ts'
import type { Handlers } from './route.ts'

export const HANDLERS: Handlers = {
  ...photoHandlers,
  ...faceHandlers,
  ...footageHandlers,
  ...cameraHandlers,

  async suggestPersons({ core, caller, params, origin, path }) {
    const { max_id, limit, strict, threshold } = params
    const least =
      threshold === undefined
        ? { threshold: THRESHOLDS.medium, fpir: SEARCH_LIMITS.probableFpir }
        : { threshold: threshold === 'none' ? 0 : threshold }
    const request = { owner: caller.owner, limit, strict, ...least, maxId: max_id }
    const { suggestions, next, shards } = (await core.call('persons.suggestions', request)).response
    const query = Object.entries(omitUndefined({ limit, threshold, strict, max_id: next })).map(
      ([name, value]) => [name, String(value)],
    )
    const next_page = next === undefined ? null : `${path}?${new URLSearchParams(query)}`
    const results = suggestions.map(({ confidence, persons }) => ({
      confidence,
      persons: persons.map(person => ({ ...person, face: withLinks(person.face, origin) })),
    }))
    return jsonResponse(
      { results, next_page },
      200,
      shards && { 'x-live-servers': `${shards.live}/${shards.total}` },
    )
  },

  async followEvents({ core, caller, params, origin, header }) {
    const { cam_ids, person_id, gallery, friend, alerts, last_event_id } = params
    const items = await core.stream('events.follow', {
      owner: caller.owner,
      token: caller.token,
      filter: { cameras: cam_ids, personId: person_id, gallery, friend },
      // A core of an earlier version does not know the field.
      ...(alerts && { alerts }),
      after: afterHeader(header(LAST_EVENT_ID)) ?? last_event_id,
    })
    return eventStream(items, item => messageOf(item, origin))
  },

  async exportEvidence(call) {
    const request = requestOf(DECLARATIONS.exportEvidence as unknown as Declaration, call)
    const items = await call.core.stream('evidence.export', request as StreamRequest<'evidence.export'>)
    return fileStream(items, 'application/zip', 'evidence.zip')
  },

  async followViewers({ core, caller: { owner, token } }) {
    const items = await core.stream('cameras.viewers', { owner, token })
    return eventStream(items, ({ cameras }) => ({ id: 0, type: 'viewers', data: cameras.map(hyphenated) }))
  },

  async createToken({ core, caller, params: { scope, name, expires, rate } }) {
    const fresh = await freshToken()
    const request = { ...authorOf(caller), hash: fresh.hash, name, scope, expires, rate }
    const { token } = (await core.call('token.create', request)).response
    return secretResponse({ ...token, token: fresh.token })
  },

  async rotateToken({ core, caller, params: { id, grace_hours } }) {
    const fresh = await freshToken()
    const request = { ...authorOf(caller), id, hash: fresh.hash, graceMs: grace_hours * 3_600_000 }
    const { token, replaced } = (await core.call('token.rotate', request)).response
    return secretResponse({ ...token, token: fresh.token, replaced })
  },

  async inviteUser({ core, caller, origin, params }) {
    const { token, hash } = await freshToken()
    const request = { ...authorOf(caller), ...params, link: hash }
    const { user } = (await core.call('user.invite', request)).response
    // The secret is behind `#`, which browsers send to no server.
    return secretResponse({ ...user, link: `${origin}/#/sign-in/${token}` })
  },
}

function messageOf({ id, face, alert }: StreamItem<'events.follow'>, origin: string): ServerSentEvent {
  if (face) return { id, type: 'face', data: withLinks(face, origin) }
  if (alert) return { id, type: 'alert', data: withLinkedFaces(alert, one => withLinks(one, origin)) }
  return { id }
}

/** The position in the header; undefined without one. Throws BAD_PARAM. */
function afterHeader(value: string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  const parsed = id.safeParse(value)
  if (parsed.success) return parsed.data
  throw wrongValue('last_event_id', value, 'the id of an event in the header Last-Event-ID')
}

/** A response that no cache may keep. */
const secretResponse = (body: object) => jsonResponse(body, 201, { 'cache-control': 'no-store' })
