/** POST and GET /camera, GET, PUT and DELETE /camera/<id>: cameras. Clients post faces with the id of a camera. */
import * as z from 'zod'
import { badParam } from '../../../contract/errors.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { type Camera, CameraSchema } from '../../../contract/model/camera.ts'
import { seesCameraCredentials } from '../../../contract/model/scope.ts'
import { isMasked, maskedUrl, unmaskedUrl } from '../../../contract/url-credentials.ts'
import { type Caller, changedBy } from '../../admission/tokens.ts'
import type { Core } from '../../core-client/core-client.ts'
import { cameraOptions } from '../../parameters/cameras/camera-options.ts'
import { region } from '../../parameters/cameras/region.ts'
import { omitUndefined } from '../../parameters/omit-undefined.ts'
import { boolean, optional, retentionDays, text, withDefault } from '../../parameters/parameter-fields.ts'
import { cameraInPath, cameraOf } from '../../parameters/path-ids.ts'
import { operation } from '../operation.ts'
import { jsonResponse, noContent } from '../route.ts'

const changeable = {
  meta: optional(text(LIMITS.metaLength)),
  url: optional(text(LIMITS.photoNameLength)),
  rot: optional(region),
  roi: optional(region),
  retention_days: optional(retentionDays),
  options: optional(cameraOptions),
}

/** The camera as the caller may see it. */
const shown = (camera: Camera, { scope }: Caller): Camera =>
  camera.url === undefined || seesCameraCredentials(scope)
    ? camera
    : { ...camera, url: maskedUrl(camera.url) }

/** The URL to store. A masked one gets the credentials of the stored camera. Throws BAD_PARAM, and NOT_FOUND. */
async function urlToStore(
  core: Core,
  { owner }: Caller,
  url: string | undefined,
  id?: string,
): Promise<string | undefined> {
  if (url === undefined || !isMasked(url)) return url
  const stored = id && (await core.call('camera.get', { owner, id })).answer.camera.url
  const unmasked = stored && unmaskedUrl(url, stored)
  if (unmasked) return unmasked
  throw badParam(
    'url',
    url,
    'url: *** stands for credentials that are stored for the same scheme, host and port. Send the credentials themselves.',
  )
}

const ById = z.object({ id: cameraInPath })

const CREDENTIALS = 'Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`.'

const byId = {
  path: '/camera/:id',
  aliases: ['/cameras/:id'],
  topic: 'Cameras',
  refusals: ['NOT_FOUND'],
} as const

export const createCamera = operation(
  {
    name: 'createCamera',
    needs: 'administer',
    method: 'post',
    path: '/camera',
    aliases: ['/cameras'],
    topic: 'Cameras',
    summary: 'Create a camera',
    parameters: z.object({
      ...changeable,
      detector: optional(text(LIMITS.metaLength)),
      enabled: withDefault(boolean, true),
    }),
    status: 201,
    answer: CameraSchema,
  },
  async (
    { core },
    { caller, params: { meta, url, detector, rot, roi, enabled, retention_days, options } },
  ) => {
    const camera = {
      enabled,
      ...omitUndefined('meta', meta),
      ...omitUndefined('url', await urlToStore(core, caller, url)),
      ...omitUndefined('detector', detector),
      ...omitUndefined('rot', rot),
      ...omitUndefined('roi', roi),
      ...omitUndefined('retention_days', retention_days),
      ...omitUndefined('options', options),
    }
    const created = await core.call('camera.create', { ...changedBy(caller), camera })
    return jsonResponse(shown(created.answer.camera, caller), 201)
  },
)

export const listCameras = operation(
  {
    name: 'listCameras',
    needs: 'read_cameras',
    method: 'get',
    path: '/camera',
    aliases: ['/cameras'],
    topic: 'Cameras',
    summary: 'List all cameras, oldest first',
    details: `The response body is a JSON array. ${CREDENTIALS}`,
    parameters: z.object({}),
    status: 200,
    answer: z.array(CameraSchema),
  },
  async ({ core }, { caller }) => {
    const { cameras } = (await core.call('cameras.list', { owner: caller.owner })).answer
    return jsonResponse(cameras.map(camera => shown(camera, caller)))
  },
)

export const getCamera = operation(
  {
    ...byId,
    name: 'getCamera',
    needs: 'read_cameras',
    method: 'get',
    summary: 'Get a camera',
    details: CREDENTIALS,
    parameters: ById,
    status: 200,
    answer: CameraSchema,
  },
  async ({ core }, { caller, params }) => {
    const question = { owner: caller.owner, id: cameraOf(params.id) }
    return jsonResponse(shown((await core.call('camera.get', question)).answer.camera, caller))
  },
)

export const changeCamera = operation(
  {
    ...byId,
    name: 'changeCamera',
    needs: 'administer',
    method: 'put',
    summary: 'Change a camera',
    details:
      'An absent or empty `rot` or `roi` deletes this region. Other absent fields stay unchanged. A `url` with masked credentials ' +
      'keeps the stored ones if its scheme, host and port are the stored ones.',
    parameters: z.object({ ...ById.shape, ...changeable, enabled: optional(boolean) }),
    status: 200,
    answer: CameraSchema,
  },
  async ({ core }, { caller, params: { id, meta, url, rot, roi, enabled, retention_days, options } }) => {
    const camera = {
      ...omitUndefined('meta', meta),
      ...omitUndefined('url', await urlToStore(core, caller, url, cameraOf(id))),
      ...omitUndefined('rot', rot),
      ...omitUndefined('roi', roi),
      ...omitUndefined('enabled', enabled),
      ...omitUndefined('retention_days', retention_days),
      ...omitUndefined('options', options),
    }
    const question = { ...changedBy(caller), id: cameraOf(id), camera }
    return jsonResponse(shown((await core.call('camera.update', question)).answer.camera, caller))
  },
)

export const deleteCamera = operation(
  {
    ...byId,
    name: 'deleteCamera',
    needs: 'administer',
    method: 'delete',
    summary: 'Delete a camera',
    details: 'The faces and the history events of the camera remain.',
    parameters: ById,
    status: 204,
  },
  async ({ core }, { caller, params }) => {
    await core.call('camera.delete', { ...changedBy(caller), id: cameraOf(params.id) })
    return noContent()
  },
)
