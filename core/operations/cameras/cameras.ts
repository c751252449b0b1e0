/** Cameras: creates, reads, lists, changes, deletes and checks them. */
import { environment } from '../../../contract/environment.ts'
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { type Camera, hyphenated } from '../../../contract/model/camera.ts'
import { cameraUrl } from '../../../contract/model/camera-url.ts'
import { omitNull } from '../../../contract/omit-undefined.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import {
  cameraById,
  camerasOf,
  deleteCamera as deleteCameraRow,
  insertCamera,
  type StoredCamera,
  updateCamera,
} from '../../metadata/cameras/cameras.ts'
import type { Metadata, Services } from '../services.ts'

export async function createCamera(
  { database, now }: Pick<Services, 'database' | 'now'>,
  { owner, camera }: Change<'camera.create'>,
): Promise<RpcResponse<'camera.create'>> {
  const id = environment.id().replaceAll('-', '')
  const stored = await insertCamera(database, { ...columnsOf(camera), id, owner, created: now() * 1000 })
  return { camera: cameraAnswer(stored) }
}

/** Throws NOT_FOUND when the owner does not have this camera. */
export async function getCamera(
  { database }: Metadata,
  { owner, id }: RpcRequest<'camera.get'>,
): Promise<RpcResponse<'camera.get'>> {
  return { camera: cameraAnswer(requireCamera(await cameraById(database, owner, id))) }
}

/** All cameras of the owner, oldest first. */
export async function listCameras(
  { database }: Metadata,
  { owner }: RpcRequest<'cameras.list'>,
): Promise<RpcResponse<'cameras.list'>> {
  return { cameras: (await camerasOf(database, owner)).map(cameraAnswer) }
}

/** Changes the given fields. As the contract requires, an absent `rot` or `roi` is removed. Throws NOT_FOUND. */
export async function changeCamera(
  { database }: Metadata,
  { owner, id, camera }: Change<'camera.update'>,
): Promise<RpcResponse<'camera.update'>> {
  const { rot = null, roi = null, ...columns } = columnsOf(camera)
  const change = { ...columns, rot, roi }
  return { camera: cameraAnswer(requireCamera(await updateCamera(database, owner, id, change))) }
}

/** Deletes a camera. Its faces and its history stay. Throws NOT_FOUND. */
export async function deleteCamera(
  { database }: Metadata,
  { owner, id }: Change<'camera.delete'>,
): Promise<RpcResponse<'camera.delete'>> {
  if (!(await deleteCameraRow(database, owner, id))) throw new ServiceError('NOT_FOUND')
  return {}
}

/** Throws BAD_PARAM when the owner does not have this camera. */
export async function checkCamera(
  { database }: Metadata,
  { owner, id, param }: { owner: string; id: string; param: string },
): Promise<void> {
  if (!(await cameraById(database, owner, id))) throw badParam(param, id, 'There is no such camera.')
}

function requireCamera(camera: StoredCamera | undefined): StoredCamera {
  if (!camera) throw new ServiceError('NOT_FOUND')
  return camera
}

/** Columns of the given fields. Empty texts, a retention of 0 days and empty options are stored as none. */
const columnsOf = <Fields extends Partial<Camera>>({
  retention_days: days,
  options,
  meta,
  url,
  ...fields
}: Fields) => ({
  ...fields,
  meta: meta === '' ? null : meta,
  url: url === '' ? null : url,
  retentionDays: days === undefined ? undefined : days || null,
  options: options && (Object.keys(options).length > 0 ? options : null),
})

/** Camera of a response. */
const cameraAnswer = ({ id, enabled, retentionDays, ...camera }: StoredCamera): Camera => {
  const { meta, url, detector, rot, roi, options } = camera
  const url_refused = url === null ? null : (cameraUrl(url).refused ?? null)
  const set = omitNull({ meta, url, url_refused, detector, rot, roi, retention_days: retentionDays, options })
  return { id: hyphenated(id), enabled, ...set }
}

export const cameraHandlers = {
  'camera.create': createCamera,
  'camera.update': changeCamera,
  'camera.delete': deleteCamera,
}
