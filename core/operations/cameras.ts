/** Cameras: made, read, listed, changed and deleted. */
import { randomUUID } from 'node:crypto'
import { badParam, ServiceError } from '../contract/errors.ts'
import { type Camera, hyphenated } from '../contract/model/camera.ts'
import type { Answer, Change, Question } from '../contract/rpc/operations.ts'
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
): Promise<Answer<'camera.create'>> {
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
    going: false,
  }
  await insertCamera(database, stored)
  return { camera: cameraAnswer(stored) }
}

export async function getCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id }: Question<'camera.get'>,
): Promise<Answer<'camera.get'>> {
  return { camera: cameraAnswer(found(await cameraById(database, owner, id))) }
}

export async function listCameras(
  { database }: Pick<Services, 'database'>,
  { owner }: Question<'cameras.list'>,
): Promise<Answer<'cameras.list'>> {
  return { cameras: (await camerasOf(database, owner)).map(cameraAnswer) }
}

/** The contract's rule: rot and roi are gone when they are not given; other fields stay as they are. */
export async function changeCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id, camera: { meta, url, rot, roi, enabled, retention_days: days } }: Change<'camera.update'>,
): Promise<Answer<'camera.update'>> {
  const change = {
    rot: rot ?? null,
    roi: roi ?? null,
    ...(meta === undefined ? {} : { meta }),
    ...(url === undefined ? {} : { url }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(days === undefined ? {} : { retentionDays: days || null }),
  }
  return { camera: cameraAnswer(found(await updateCamera(database, owner, id, change))) }
}

/** Deletes the camera; what it posted stays, as faces and in the history. */
export async function deleteCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id }: Change<'camera.delete'>,
): Promise<Answer<'camera.delete'>> {
  if (!(await deleteCameraRow(database, owner, id))) throw new ServiceError('NOT_FOUND')
  return {}
}

/** Throws BAD_PARAM when the owner has no such camera. */
export async function checkCamera(
  { database }: Pick<Services, 'database'>,
  { owner, id, param }: Question<'camera.check'>,
): Promise<Answer<'camera.check'>> {
  if (!(await cameraById(database, owner, id))) throw badParam(param, id, 'There is no such camera.')
  return {}
}

function found(camera: StoredCamera | undefined): StoredCamera {
  if (!camera) throw new ServiceError('NOT_FOUND')
  return camera
}

/** What is not set is absent. */
const cameraAnswer = ({
  id,
  meta,
  url,
  detector,
  rot,
  roi,
  enabled,
  retentionDays,
}: StoredCamera): Camera => ({
  id: hyphenated(id),
  ...(meta === null ? {} : { meta }),
  ...(url === null ? {} : { url }),
  ...(detector === null ? {} : { detector }),
  ...(rot === null ? {} : { rot }),
  ...(roi === null ? {} : { roi }),
  enabled,
  ...(retentionDays === null ? {} : { retention_days: retentionDays }),
})
