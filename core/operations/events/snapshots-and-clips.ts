/** Snapshots and clips of events. An event exists before them, and never waits for them. */
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { leastIdSince } from '../../../contract/ids.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import type { Change, RpcResponse } from '../../../contract/operations/messages.ts'
import { cameraById } from '../../metadata/cameras/cameras.ts'
import { beginWriting } from '../../metadata/connection/change.ts'
import { markFootage } from '../../metadata/events/events.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { faceById } from '../../metadata/faces/faces.ts'
import { recordIntents } from '../../metadata/faces/intents.ts'
import { withIntent } from '../consistency/intent-log.ts'
import type { Services } from '../services.ts'

/**
 * Order of writes: an intent, the file, then its mark in the metadata. Only a marked file is shown. The intent removes the file if
 * the face was deleted during the write. Throws NOT_FOUND without the face, and BAD_PARAM unless its camera keeps files of this
 * kind.
 */
export async function putFootage(
  services: Services,
  { owner, id, kind, hash }: Change<'face.footage'>,
  bytes: Uint8Array,
): Promise<RpcResponse<'face.footage'>> {
  const { database, pictures, keep, now } = services
  const face = await faceById(database, friendRule(services), owner, id)
  if (!face?.camera) throw new ServiceError('NOT_FOUND')
  const camera = await cameraById(database, owner, face.camera)
  if (!keep.pictures || !camera?.options?.[kind])
    throw badParam(kind, '(file)', `${kind}: the camera does not keep it. Set its option ${kind}.`)
  // Tokens that may only post cannot replace what others rely on.
  if (kind === 'snapshot' && hash !== face.photoHash)
    throw badParam(kind, '(file)', 'snapshot: expected the photo of the face, byte for byte.')
  if (kind === 'clip' && id < leastIdSince(now() - REQUEST_LIMITS.idempotencyKeptMs))
    throw badParam(kind, '(file)', 'clip: the face was enrolled too long ago.')
  await pictures.reach()
  await withIntent(services, async work => {
    await recordIntents(database, work, [{ owner, id, galleries: [] }])
    beginWriting()
    await pictures.put({ owner, id, kind }, bytes)
    if (await markFootage(database, face, kind)) return
    // An update has replaced the photo: nothing names the file.
    const updated = await faceById(database, friendRule(services), owner, id)
    if (updated && !updated[kind]) await pictures.remove([face], [kind])
    throw new ServiceError('NOT_FOUND')
  })
  services.events.wake(owner)
  return {}
}
