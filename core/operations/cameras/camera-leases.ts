/** Leases of cameras: the watcher that holds one, the states it reports, and pictures while there are viewers. */
import { ServiceError } from '../../../contract/errors.ts'
import { CAMERA_LIMITS } from '../../../contract/limits/cameras.ts'
import type { CameraState } from '../../../contract/model/camera.ts'
import { frigateCamera } from '../../../contract/model/camera-url.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import {
  forgetPictures,
  leaseOf,
  releaseLease,
  renewLease,
  wantPicture,
} from '../../metadata/cameras/cameras.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'
import type { Metadata, Services } from '../services.ts'
import { getCamera } from './cameras.ts'
import { deleteSpentRecordings, leaseRecording } from './recordings.ts'

/** Takes or renews a lease. Throws NOT_FOUND without the camera, and CAMERA_TAKEN while another watcher holds it. */
export async function leaseCamera(
  services: Pick<Services, 'database' | 'liveView' | 'pictures'>,
  request: RpcRequest<'camera.lease'>,
  picture: Uint8Array | undefined,
): Promise<RpcResponse<'camera.lease'>> {
  const { database, liveView } = services
  const { owner, id, watcher, report, live, recording } = request
  await getCamera({ database }, { owner, id })
  if (recording) {
    await leaseRecording(services, request, recording)
    return { wanted: false }
  }
  const lease = await leaseOf(database, owner, id)
  if (lease?.isHeld && lease.watcher !== watcher) throw cameraTaken(lease.ends - lease.now)
  const encoded = picture ? Buffer.from(picture).toString('base64') : null
  if (live !== undefined && encoded !== null) {
    if (lease?.watcher === watcher) liveView.show(owner, id, { watcher, number: live, picture: encoded })
    return { wanted: lease !== undefined && lease.wanted > lease.now }
  }
  const wanted = await renewLease(database, { owner, camera: id, watcher, report, picture: encoded })
  // Another watcher took it after the query above.
  if (wanted === undefined) throw cameraTaken(CAMERA_LIMITS.leaseMs)
  return { wanted }
}

const cameraTaken = (leftMs: number) =>
  new ServiceError('CAMERA_TAKEN', { retryAfter: Math.ceil(leftMs / 1000) })

/** Ends the lease of a watcher. Throws NOT_FOUND without the camera. */
export async function releaseCamera(
  { database }: Metadata,
  { owner, id, watcher }: RpcRequest<'camera.release'>,
): Promise<RpcResponse<'camera.release'>> {
  await getCamera({ database }, { owner, id })
  await releaseLease(database, owner, id, watcher)
  return {}
}

const UNWATCHED: CameraState = {
  live: false,
  watcher: null,
  since: null,
  fps: null,
  dropped: null,
  frame_age: null,
  last_error: null,
  width: null,
  height: null,
  losses: null,
}

const READ_FROM_FRIGATE =
  'Only mien watch --frigate reads this camera. It posts events, and reports no state.'

/** The state of a camera. Throws NOT_FOUND without the camera. */
export async function cameraState(
  { database }: Metadata,
  { owner, id }: RpcRequest<'camera.state'>,
): Promise<RpcResponse<'camera.state'>> {
  const { camera } = await getCamera({ database }, { owner, id })
  const reason =
    camera.url_refused ?? (frigateCamera(camera.url) === undefined ? undefined : READ_FROM_FRIGATE)
  const lease = await leaseOf(database, owner, id)
  if (!lease) return { state: { ...UNWATCHED, reason } }
  const { report, now } = lease
  const age = report.frame_age === null ? null : report.frame_age + Math.max(0, now - lease.reported) / 1000
  const live = lease.isHeld && age !== null && age * 1000 <= CAMERA_LIMITS.liveMs
  const since = timestampText(lease.since * 1000)
  const frame_age = age === null ? null : Math.round(age * 10) / 10
  return {
    state: {
      ...report,
      live,
      watcher: lease.watcher,
      since,
      frame_age,
      fps: live ? report.fps : 0,
      reason: lease.isHeld ? undefined : reason,
    },
  }
}

/** Asks for pictures of a camera. Returns the last one, if there is one. Throws NOT_FOUND without the camera or a watcher. */
export async function cameraPicture(
  { database }: Metadata,
  { owner, id }: RpcRequest<'camera.picture'>,
): Promise<Uint8Array | undefined> {
  await getCamera({ database }, { owner, id })
  const lease = await leaseOf(database, owner, id)
  if (!lease?.isHeld) throw new ServiceError('NOT_FOUND', { reason: 'No watcher watches this camera.' })
  // Most requests of a page that repeats them write nothing.
  if (lease.wanted - lease.now < CAMERA_LIMITS.wantedMs / 2) await wantPicture(database, owner, id)
  return lease.picture === null ? undefined : Buffer.from(lease.picture, 'base64')
}

/** Deletes unwanted pictures and recordings while requests are served. `failed` receives errors. */
export const deletePicturesRepeatedly = (
  services: Pick<Services, 'database' | 'pictures'>,
  failed: (error: unknown) => void,
): RepeatedTask =>
  repeatedly(CAMERA_LIMITS.forgetMs, () =>
    Promise.all([forgetPictures(services.database), deleteSpentRecordings(services)]).then(() => {}, failed),
  )

export const cameraLeaseHandlers = {
  'camera.release': releaseCamera,
  'camera.state': cameraState,
}
