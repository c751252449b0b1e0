/** Uploaded recordings: takes their pieces, gives them to a watcher, and deletes them when they are read, cancelled or abandoned. */
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { CAMERA_LIMITS } from '../../../contract/limits/cameras.ts'
import type { CameraRecording, RecordingReport } from '../../../contract/model/camera.ts'
import type { Change, RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { DiskFull } from '../../files/disk-space.ts'
import { ownerIds } from '../../metadata/access/owners.ts'
import {
  addPiece,
  beginRecording,
  cancelRecording,
  countOpenRecordings,
  openRecording,
  type RecordingFile,
  recordingOf,
  recordingsOf,
  reportRecording,
  type StoredRecording,
  settleRecording,
  spentRecordings,
} from '../../metadata/cameras/recordings.ts'
import { eachAtOnce } from '../../pictures/objects.ts'
import type { Handlers, Services } from '../services.ts'
import { getCamera, listCameras } from './cameras.ts'

type Stored = Pick<Services, 'database' | 'pictures'>

const PIECE_BYTES = CAMERA_LIMITS.recordingPieceBytes

/**
 * Stores the next piece of a recording, or answers how many bytes are stored. Throws NOT_FOUND without the camera, a watcher or the
 * recording, CAMERA_TAKEN, BAD_PARAM, and DiskFull.
 */
export async function putRecording(
  services: Stored & Pick<Services, 'liveView' | 'diskSpace' | 'now' | 'lease'>,
  { owner, id, start, size, at }: Change<'recording.put'>,
  piece: Uint8Array,
): Promise<RpcResponse<'recording.put'>> {
  const { database, pictures } = services
  await getCamera(services, { owner, id })
  const bytes = Math.min(PIECE_BYTES, size - at)
  if (bytes < 1 || at % PIECE_BYTES !== 0 || piece.length !== bytes)
    throw badParam(
      'piece',
      '(file)',
      `piece: expected ${PIECE_BYTES} bytes from a multiple of them on, or the rest.`,
    )
  const file = { owner, camera: id, start, size }
  const stored = await openRecording(database, file)
  if (!stored) await begin(services, file, at)
  else if (at > stored.received) throw badParam('at', at, `at: expected ${stored.received}.`)
  else if (at < stored.received) return { recording: recordingAnswer(stored) }
  const written = pictures.putPiece(file, at, piece).then(() => addPiece(database, file, { at, bytes }))
  // A cancellation may have removed the folder of the piece.
  await written.catch(() => {})
  const open = await openRecording(database, file)
  if (open) return written.then(() => ({ recording: recordingAnswer(open) }))
  await pictures.removePieces(file)
  throw cancelled()
}

const cancelled = () => new ServiceError('NOT_FOUND', { reason: 'The recording was cancelled.' })

async function begin(
  { database, pictures, liveView, diskSpace, now, lease }: Parameters<typeof putRecording>[0],
  file: RecordingFile,
  at: number,
) {
  const { owner, start, size } = file
  if (at > 0) throw cancelled()
  if (start > now() * 1_000)
    throw badParam('start', timestampText(start), 'start: expected a time in the past.')
  // Another core may know the watcher.
  if (!lease && !liveView.watchers.followed.has(owner))
    throw new ServiceError('NOT_FOUND', {
      reason:
        'No watcher of this version is connected to the service. Turn on the setting watch_cameras, or run mien watch.',
    })
  if (pictures.isLocal && (await diskSpace.free()) < 2 * size) throw new DiskFull()
  // A repeated request may have begun it.
  if ((await beginRecording(database, file)) || (await openRecording(database, file))) return
  const isFull = (await countOpenRecordings(database, owner)) >= CAMERA_LIMITS.recordings
  throw new ServiceError('CAMERA_TAKEN', {
    reason: isFull
      ? `There are ${CAMERA_LIMITS.recordings} recordings. Wait until one is read, or cancel it.`
      : 'The camera has another recording. Cancel it first.',
  })
}

/**
 * The piece at this offset, for the watcher that reads the recording. Throws NOT_FOUND. A recording that lacks a piece, as after a
 * restore, has failed.
 */
export async function readRecording(
  services: Stored,
  { owner, id, watcher, at }: RpcRequest<'recording.get'>,
): Promise<Uint8Array> {
  await getCamera(services, { owner, id })
  const row = await recordingOf(services.database, owner, id)
  if (row?.watcher !== watcher || row.report?.end || at % PIECE_BYTES !== 0 || at >= row.size)
    throw new ServiceError('NOT_FOUND')
  const piece = await services.pictures.readPiece(row, at)
  if (piece) return piece
  await leaseRecording(services, { owner, id, watcher }, { ...row.report!, end: 'failed' })
  throw new ServiceError('NOT_FOUND')
}

/** Takes or renews the lease of a recording. Throws CAMERA_TAKEN while another watcher holds it, and NOT_FOUND when it was cancelled. */
export async function leaseRecording(
  services: Stored,
  { owner, id, watcher }: Pick<RpcRequest<'camera.lease'>, 'owner' | 'id' | 'watcher'>,
  report: RecordingReport,
): Promise<void> {
  const row = await recordingOf(services.database, owner, id)
  if (!row || timestampText(row.start) !== report.start || row.size !== report.size)
    throw new ServiceError('NOT_FOUND')
  if (!(await reportRecording(services.database, row, { watcher, report })))
    throw new ServiceError(row.report?.end || row.changed === 0 ? 'NOT_FOUND' : 'CAMERA_TAKEN')
  if (report.end) await removePieces(services, row)
}

/** Cancels a recording. Throws NOT_FOUND without one, and PicturesUnavailable. */
async function deleteRecording(
  services: Stored,
  { owner, id }: Pick<Change<'recording.delete'>, 'owner' | 'id'>,
): Promise<RpcResponse<'recording.delete'>> {
  const row = await recordingOf(services.database, owner, id)
  if (!row) throw new ServiceError('NOT_FOUND')
  await services.pictures.reach()
  await cancelRecording(services.database, row)
  await removePieces(services, row)
  return {}
}

async function removePieces({ database, pictures }: Stored, file: RecordingFile) {
  await pictures.removePieces(file)
  await settleRecording(database, file)
}

/** Deletes the remains of recordings that are read, cancelled or abandoned, and of deleted cameras. */
export async function deleteSpentRecordings(services: Stored): Promise<void> {
  for (const row of await spentRecordings(services.database)) await removePieces(services, row)
}

/** Owners whose pieces are listed at the same time: a list of a bucket takes milliseconds, and core starts after the last one. */
const OWNERS_AT_ONCE = 8

/** Deletes pieces without a row. A core that ends while it stores a piece of a cancelled recording leaves one. */
export async function deleteLostPieces({ database, pictures }: Stored): Promise<void> {
  // A row is written before its pieces.
  await eachAtOnce(OWNERS_AT_ONCE, await ownerIds(database), owner =>
    pictures.removeOtherPieces(owner, () => recordingsOf(database, owner)),
  )
}

const recordingAnswer = ({ start, size, received, report }: StoredRecording): CameraRecording => ({
  ...report,
  start: timestampText(start),
  size,
  received,
})

export const recordingHandlers = {
  'recording.delete': deleteRecording,
  async 'camera.get'(services, request) {
    const { camera } = await getCamera(services, request)
    const row = await recordingOf(services.database, request.owner, request.id)
    return { camera: { ...camera, ...(row && { recording: recordingAnswer(row) }) } }
  },
  async 'cameras.list'(services, request) {
    const { cameras } = await listCameras(services, request)
    const rows = await recordingsOf(services.database, request.owner)
    const byCamera = new Map(rows.map(row => [row.camera, recordingAnswer(row)]))
    return {
      cameras: cameras.map(camera => {
        const recording = byCamera.get(camera.id.replaceAll('-', ''))
        return { ...camera, ...(recording && { recording }) }
      }),
    }
  },
} satisfies Partial<Handlers>
