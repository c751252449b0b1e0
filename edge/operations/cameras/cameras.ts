/** POST and GET /camera, GET, PUT and DELETE /camera/<id>: cameras. Clients post faces with the id of a camera. */
import * as z from 'zod'
import { LIMITS } from '../../../core/contract/limits.ts'
import { CameraSchema } from '../../../core/contract/model/camera.ts'
import { changedBy } from '../../admission/tokens.ts'
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

const ById = z.object({ id: cameraInPath })

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
      ...omitUndefined('url', url),
      ...omitUndefined('detector', detector),
      ...omitUndefined('rot', rot),
      ...omitUndefined('roi', roi),
      ...omitUndefined('retention_days', retention_days),
      ...omitUndefined('options', options),
    }
    const created = await core.call('camera.create', { ...changedBy(caller), camera })
    return jsonResponse(created.answer.camera, 201)
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
    details: 'The response body is a JSON array.',
    parameters: z.object({}),
    status: 200,
    answer: z.array(CameraSchema),
  },
  async ({ core }, { caller }) =>
    jsonResponse((await core.call('cameras.list', { owner: caller.owner })).answer.cameras),
)

export const getCamera = operation(
  {
    ...byId,
    name: 'getCamera',
    needs: 'read_cameras',
    method: 'get',
    summary: 'Get a camera',
    parameters: ById,
    status: 200,
    answer: CameraSchema,
  },
  async ({ core }, { caller, params }) => {
    const question = { owner: caller.owner, id: cameraOf(params.id) }
    return jsonResponse((await core.call('camera.get', question)).answer.camera)
  },
)

export const changeCamera = operation(
  {
    ...byId,
    name: 'changeCamera',
    needs: 'administer',
    method: 'put',
    summary: 'Change a camera',
    details: 'An absent or empty `rot` or `roi` deletes this region. Other absent fields stay unchanged.',
    parameters: z.object({ ...ById.shape, ...changeable, enabled: optional(boolean) }),
    status: 200,
    answer: CameraSchema,
  },
  async ({ core }, { caller, params: { id, meta, url, rot, roi, enabled, retention_days, options } }) => {
    const camera = {
      ...omitUndefined('meta', meta),
      ...omitUndefined('url', url),
      ...omitUndefined('rot', rot),
      ...omitUndefined('roi', roi),
      ...omitUndefined('enabled', enabled),
      ...omitUndefined('retention_days', retention_days),
      ...omitUndefined('options', options),
    }
    const question = { ...changedBy(caller), id: cameraOf(id), camera }
    return jsonResponse((await core.call('camera.update', question)).answer.camera)
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
