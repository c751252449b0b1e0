/** Cameras: creates, reads, lists, changes, deletes and checks them. */
import { randomUUID } from 'node:crypto'
import { badParam, ServiceError } from '../../contract/errors.ts'
import { type Camera, type CameraOptions, hyphenated } from '../../contract/model/camera.ts'
import type { Change, RpcRequest, RpcResponse } from '../../contract/rpc/operations.ts'
import {
  cameraById,
  camerasOf,
  deleteCamera as deleteCameraRow,
  insertCamera,
  type StoredCamera,
  updateCamera,
} from '../metadata/queries/cameras.ts'
import type { Services } from './services.ts'

export async function createCamera(
  { database, now }: Pick<Services, 'database' | 'now'>,
  { owner, camera }: Change<'camera.create'>,
): Promise<RpcResponse<'camera.create'>> {
  const stored = {
    id: randomUUID().replaceAll('-', ''),
    owner,
    created: now() * 1000,
    meta: camera.meta ?? null,
    url: camera.url ?? null,
    detector: camera.detector ?? null,
    rot: camera.rot ?? null,
    roi: camera.roi ?? null,
    enabled: camera.enabled,
    retentionDays: camera.retention_days || null,
    options: optionsToStore(camera.options) ?? null,
    deleting: false,
  }
  await insertCamera(database, stored)
  return { camera: cameraAnswer(stored) }
}

/** Throws NOT_FOUND when the owner does not have this camera. */
export async function getCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id }: RpcRequest<'camera.get'>,
): Promise<RpcResponse<'camera.get'>> {
  return { camera: cameraAnswer(found(await cameraById(database, owner, id))) }
}

/** All cameras of the owner, oldest first. */
export async function listCameras(
  { database }: Pick<Services, 'database'>,
  { owner }: RpcRequest<'cameras.list'>,
): Promise<RpcResponse<'cameras.list'>> {
  return { cameras: (await camerasOf(database, owner)).map(cameraAnswer) }
}

/** Changes the given fields. As the contract requires, an absent `rot` or `roi` is removed. Throws NOT_FOUND. */
export async function changeCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id, camera }: Change<'camera.update'>,
): Promise<RpcResponse<'camera.update'>> {
  const { meta, url, rot, roi, enabled, retention_days: days } = camera
  const options = optionsToStore(camera.options)
  const change = {
    rot: rot ?? null,
    roi: roi ?? null,
    ...(meta === undefined ? {} : { meta }),
    ...(url === undefined ? {} : { url }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(days === undefined ? {} : { retentionDays: days || null }),
    ...(options === undefined ? {} : { options }),
  }
  return { camera: cameraAnswer(found(await updateCamera(database, owner, id, change))) }
}

/** Deletes a camera. Its faces and its history stay. Throws NOT_FOUND. */
export async function deleteCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id }: Change<'camera.delete'>,
): Promise<RpcResponse<'camera.delete'>> {
  if (!(await deleteCameraRow(database, owner, id))) throw new ServiceError('NOT_FOUND')
  return {}
}

/** Throws BAD_PARAM when the owner does not have this camera. */
export async function checkCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id, param }: { owner: string; id: string; param: string },
): Promise<void> {
  if (!(await cameraById(database, owner, id))) throw badParam(param, id, 'There is no such camera.')
}

function found(camera: StoredCamera | undefined): StoredCamera {
  if (!camera) throw new ServiceError('NOT_FOUND')
  return camera
}

/** Options replace those that are stored. Null without any. */
const optionsToStore = (options: CameraOptions | undefined): CameraOptions | null | undefined =>
  options && (Object.keys(options).length > 0 ? options : null)

/** Camera of a response. Fields that are not set are absent. */
const cameraAnswer = ({
  id,
  meta,
  url,
  detector,
  rot,
  roi,
  enabled,
  retentionDays,
  options,
}: StoredCamera): Camera => ({
  id: hyphenated(id),
  ...(meta === null ? {} : { meta }),
  ...(url === null ? {} : { url }),
  ...(detector === null ? {} : { detector }),
  ...(rot === null ? {} : { rot }),
  ...(roi === null ? {} : { roi }),
  enabled,
  ...(retentionDays === null ? {} : { retention_days: retentionDays }),
  ...(options === null ? {} : { options }),
})

/** Handlers of this file by the names of their messages. */
export const cameraHandlers = {
  'camera.create': createCamera,
  'camera.get': getCamera,
  'camera.update': changeCamera,
  'camera.delete': deleteCamera,
  'cameras.list': listCameras,
}
