/** Cameras, which clients post faces of, and their watchers. */
import * as z from 'zod'
import { CAMERA_LIMITS } from '../limits/cameras.ts'
import { EVENT_LIMITS } from '../limits/events.ts'
import { FACE_LIMITS } from '../limits/faces.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import {
  type Camera,
  CameraId,
  CameraRecordingSchema,
  CameraReportSchema,
  CameraSchema,
  CameraStateSchema,
  type RecordingReport,
  RecordingReportSchema,
  WatcherName,
} from '../model/camera.ts'
import { NewRetentionDays } from '../model/gallery.ts'
import { seesCameraCredentials, TokenId } from '../model/token.ts'
import { cameraOptions, region, reportParameters, watcher } from '../parameters/cameras.ts'
import { boolean, digitsOf, integer, optional, text, timeToStore, withDefault } from '../parameters/fields.ts'
import { cameraInPath, retentionDays } from '../parameters/ids.ts'
import { file } from '../parameters/photos.ts'
import { change, ownedCall, stream } from '../rpc/message.ts'
import { Natural } from '../scalars.ts'
import { maskedUrl } from '../url-credentials.ts'
import { EVENT_STREAM } from './events.ts'
import { CAMERA_ID, TIMESTAMP } from './examples.ts'
import { type Caller, operationOf } from './operation.ts'

const operation = operationOf('Cameras')

const example = {
  id: CAMERA_ID,
  meta: 'entrance',
  url: 'rtsp://camera.example/1',
  detector: 'door-client',
  rot: [1920, 1080, 0, 0],
  enabled: true,
  retention_days: 30,
  options: { fps: 10, early: true },
}

const changeable = {
  meta: optional(text(FACE_LIMITS.metaLength)),
  url: optional(text(PHOTO_LIMITS.nameLength)),
  rot: optional(region),
  roi: optional(region),
  retention_days: optional(retentionDays),
  options: optional(cameraOptions),
}

/** A text that an empty one clears. Null is absent. */
const clearable = (longest: number) => z.preprocess(value => value ?? undefined, text(longest).optional())

const CREDENTIALS = 'Credentials in `url` are `***`, except for tokens of the scopes `admin` and `camera`.'

const cameraPaths = { path: '/camera', aliases: ['/cameras'] } as const

const below = (path: string) =>
  ({
    path: `/camera/:id${path}`,
    aliases: [`/cameras/:id${path}`],
    refusals: ['NOT_FOUND'],
  }) as const

const byId = { parameters: { id: cameraInPath } }

/** Fields of a camera that can change. */
const CameraChange = CameraSchema.omit({
  id: true,
  detector: true,
  url_refused: true,
  recording: true,
}).extend({
  retention_days: NewRetentionDays.optional(),
})

const watcherFields = { id: CameraId, watcher: WatcherName }

const CameraResponse = { camera: CameraSchema }

/** Fields of a new or changed camera in the audit log. */
const auditedCamera = (_: unknown, { camera }: { camera: Camera }) => ({
  camera: digitsOf(camera.id),
  retention_days: camera.retention_days,
})

const recordingPath = { ...below('/recording'), method: 'put', permission: 'manage' } as const

/** Offset of a piece. */
const at = integer(0, CAMERA_LIMITS.recordingBytes)

/** The camera as the caller may see it. */
export const shownCamera = (camera: Camera, { scope }: Caller): Camera =>
  camera.url === undefined || seesCameraCredentials(scope)
    ? camera
    : { ...camera, url: maskedUrl(camera.url) }

export const cameraOperations = {
  createCamera: operation({
    client: 'cameras.create',
    ...cameraPaths,
    method: 'post',
    permission: 'manage',
    summary: 'Create a camera',
    parameters: {
      ...changeable,
      detector: optional(text(FACE_LIMITS.metaLength)),
      enabled: withDefault(boolean, true),
    },
    status: 201,
    answer: CameraSchema,
    example,
    // Absent fields stay unset.
    core: change('camera.create', {
      words: 'added a camera',
      request: { camera: CameraChange.extend({ detector: z.string().optional() }) },
      response: CameraResponse,
      audit: auditedCamera,
    }),
  }),

  listCameras: operation({
    client: 'cameras.list',
    ...cameraPaths,
    method: 'get',
    permission: 'read_cameras',
    summary: 'List all cameras, oldest first',
    details: `The response body is a JSON array. ${CREDENTIALS}`,
    answer: z.array(CameraSchema),
    example: [example],
    core: ownedCall('cameras.list', { request: {}, response: { cameras: z.array(CameraSchema) } }),
    toBody: ({ cameras }, { caller }) => cameras.map(camera => shownCamera(camera, caller)),
  }),

  followViewers: operation({
    method: 'get',
    path: '/viewers',
    permission: 'post',
    summary: 'Follow which cameras have viewers, as a watcher',
    details:
      'A stream of Server-Sent Events of the type `viewers`: a JSON array with the ids of all cameras whose live view has ' +
      `viewers. It comes with each change, and every ${EVENT_LIMITS.heartbeatMs / 1000} seconds. Send frames of these cameras with the ` +
      'field `live` of the lease. Connect again when the stream ends.',
    answer: z.string(),
    answerType: EVENT_STREAM,
    example: [{ id: 0, type: 'viewers', data: [CAMERA_ID] }],
    core: stream('cameras.viewers', {
      request: { token: TokenId },
      item: z.strictObject({ cameras: z.array(CameraId) }),
    }),
  }),

  getCamera: operation({
    client: 'cameras.get',
    ...below(''),
    ...byId,
    method: 'get',
    permission: 'read_cameras',
    summary: 'Get a camera',
    details: CREDENTIALS,
    answer: CameraSchema,
    example,
    core: ownedCall('camera.get', { request: { id: CameraId }, response: CameraResponse }),
    toBody: ({ camera }, { caller }) => shownCamera(camera, caller),
  }),

  changeCamera: operation({
    client: 'cameras.update',
    ...below(''),
    method: 'put',
    permission: 'manage',
    summary: 'Change a camera',
    details:
      'An absent or empty `rot` or `roi` deletes this region, and an empty `meta` or `url` this text. Other absent fields stay unchanged. A `url` with masked credentials ' +
      'keeps the stored ones if its scheme, host and port are the stored ones.',
    parameters: {
      ...byId.parameters,
      ...changeable,
      enabled: optional(boolean),
      meta: clearable(FACE_LIMITS.metaLength),
      url: clearable(PHOTO_LIMITS.nameLength),
    },
    answer: CameraSchema,
    example,
    // Changes the given fields. An absent `rot` or `roi` is removed.
    core: change('camera.update', {
      words: 'changed a camera',
      request: { id: CameraId, camera: CameraChange.partial() },
      response: CameraResponse,
      audit: auditedCamera,
    }),
  }),

  deleteCamera: operation({
    client: 'cameras.delete',
    ...below(''),
    ...byId,
    method: 'delete',
    permission: 'manage',
    summary: 'Delete a camera',
    details: 'The faces and the history events of the camera remain.',
    core: change('camera.delete', {
      words: 'deleted a camera',
      request: { id: CameraId },
      response: {},
      audit: ({ id }) => ({ camera: id }),
      disk: 'frees',
      replay: 'camera',
    }),
  }),

  leaseCamera: operation({
    client: 'cameras.lease',
    ...below('/lease'),
    method: 'put',
    permission: 'post',
    refusals: ['NOT_FOUND', 'CAMERA_TAKEN', 'BAD_IMAGE'],
    summary: 'Take a camera as its watcher, or report its state',
    details:
      `The lease lasts ${CAMERA_LIMITS.leaseMs / 1000} seconds from the last report. Until then, other watchers get \`CAMERA_TAKEN\` ` +
      'with `Retry-After`. Send a `picture` while the last answer had `picture_wanted`. A report without a picture deletes the ' +
      'previous one. Absent fields are unknown.',
    parameters: { ...byId.parameters, watcher, ...reportParameters },
    answer: z.strictObject({ picture_wanted: z.boolean() }),
    example: { picture_wanted: false },
    // CAMERA_TAKEN while another watcher holds the camera. Blob of the request: a JPEG picture, or none. It is kept until the
    // next report if it was requested. With `live`, it is a frame for viewers, and nothing is stored. With `recording`, the lease is of
    // the recording: NOT_FOUND when it was cancelled.
    core: {
      ...ownedCall('camera.lease', {
        request: {
          ...watcherFields,
          report: CameraReportSchema,
          live: Natural.optional(),
          recording: RecordingReportSchema.optional(),
        },
        response: { wanted: z.boolean() },
        disk: 'writes',
      }),
      // The end of a recording deletes it.
      frees: ({ recording }: { recording?: RecordingReport | undefined }) => recording?.end !== undefined,
    },
  }),

  releaseCamera: operation({
    client: 'cameras.release(watcher)',
    ...below('/lease'),
    method: 'delete',
    permission: 'post',
    summary: 'Give a camera back as its watcher',
    details: 'Other watchers may take it at once. Nothing changes when another watcher holds the camera.',
    parameters: { ...byId.parameters, watcher },
    core: ownedCall('camera.release', { request: watcherFields, response: {}, disk: 'frees' }),
  }),

  putRecording: operation({
    client: 'cameras.putRecording',
    ...recordingPath,
    refusals: ['NOT_FOUND', 'CAMERA_TAKEN', 'PHOTO_TOO_LARGE', 'BAD_IMAGE'],
    summary: 'Upload a piece of a recording, for the watcher to read once',
    details:
      `Send the file in pieces of ${CAMERA_LIMITS.recordingPieceBytes} bytes, in sequence. After an interruption, the first piece is ` +
      'answered with how many bytes have been `received`: go on there. `NOT_FOUND` also means that no watcher is connected, or that ' +
      'the recording was cancelled. `CAMERA_TAKEN`: the camera has another recording, or the owner has ' +
      `${CAMERA_LIMITS.recordings}. The service deletes the file when it is read, and ${CAMERA_LIMITS.recordingMs / 3_600_000} hours after the last piece.`,
    parameters: {
      ...byId.parameters,
      start: timeToStore,
      size: integer(1, CAMERA_LIMITS.recordingBytes),
      at: withDefault(at, 0),
      piece: file('The bytes from `at` on.'),
    },
    answer: CameraRecordingSchema,
    example: { start: TIMESTAMP, size: 9_437_184, received: 4_194_304 },
    // Blob: the piece.
    core: change('recording.put', {
      words: 'uploaded a recording',
      request: { id: CameraId, start: z.int(), size: z.int(), at: z.int() },
      response: { recording: CameraRecordingSchema },
      audit: ({ id, size, at }) => (at === 0 ? { camera: id, bytes: size } : undefined),
    }),
  }),

  getRecording: operation({
    client: 'cameras.getRecording',
    ...recordingPath,
    method: 'get',
    permission: 'post',
    summary: 'Get a piece of a recording, as the watcher that has its lease',
    parameters: { ...byId.parameters, watcher, at: withDefault(at, 0) },
    answer: z.string().meta({ format: 'binary' }),
    answerType: 'application/octet-stream',
    example: '(bytes)',
    headers: { 'X-Content-Type-Options': '`nosniff`' },
    // Blob of the response: the piece.
    core: ownedCall('recording.get', { request: { ...watcherFields, at: z.int() }, response: {} }),
  }),

  deleteRecording: operation({
    client: 'cameras.deleteRecording',
    ...recordingPath,
    ...byId,
    method: 'delete',
    summary: 'Cancel the recording of a camera',
    details: 'Events that it has made remain.',
    core: change('recording.delete', {
      words: 'cancelled a recording',
      request: { id: CameraId },
      response: {},
      audit: ({ id }) => ({ camera: id }),
      disk: 'frees',
    }),
  }),

  getCameraState: operation({
    client: 'cameras.state',
    ...below('/state'),
    ...byId,
    method: 'get',
    permission: 'read_cameras',
    summary: 'Get the state of a camera',
    details:
      '`live`: a watcher holds the camera, and frames arrive. The other fields are from the last report of the watcher, and null for a ' +
      'camera that no watcher has taken or that was given back.',
    answer: CameraStateSchema,
    example: {
      live: true,
      watcher: 'hall-1',
      since: TIMESTAMP,
      fps: 5,
      dropped: 12,
      frame_age: 0.2,
      last_error: 'silent',
      width: 1920,
      height: 1080,
      losses: 1,
      furniture: [[0.1, 0.2, 0.05, 0.1]],
      turn: 0,
      searched: 5,
      wanted: 5,
      behind: 0,
      unused: 3,
      unused_reason: 'small',
    },
    core: ownedCall('camera.state', { request: { id: CameraId }, response: { state: CameraStateSchema } }),
  }),

  getCameraPicture: operation({
    client: 'cameras.picture',
    ...below('/picture'),
    ...byId,
    method: 'get',
    permission: 'read',
    summary: 'Get the last frame of a camera',
    details:
      'A JPEG image, with boxes around the faces. Watchers send pictures only after a request, for ' +
      `${CAMERA_LIMITS.wantedMs / 1000} seconds: the first request gets \`NOT_FOUND\` with \`Retry-After\`. Then there is a new picture ` +
      `every ${CAMERA_LIMITS.pictureMs / 1000} seconds. \`NOT_FOUND\` without \`Retry-After\`: no watcher watches the camera.`,
    answer: z.string().meta({ format: 'binary' }),
    answerType: 'image/jpeg',
    example: '(a JPEG image)',
    headers: { 'X-Content-Type-Options': '`nosniff`' },
    // Asks the watcher for pictures. Blob of the response: the last one, or none yet. NOT_FOUND without a watcher.
    core: ownedCall('camera.picture', { request: { id: CameraId }, response: {}, disk: 'writes' }),
  }),

  getCameraLive: operation({
    ...below('/live'),
    ...byId,
    method: 'get',
    permission: 'read',
    refusals: ['NOT_FOUND', 'RATE_LIMITED'],
    summary: 'Look at a camera live',
    details:
      `JPEG images without boxes, up to ${CAMERA_LIMITS.liveFps} a second, which browsers show as one moving image. The watcher sends ` +
      'them only while there is a viewer. A slow viewer gets fewer images, never late ones. `NOT_FOUND`: no watcher with a live view ' +
      `watches the camera. More than ${CAMERA_LIMITS.viewers} viewers of a camera get \`RATE_LIMITED\`. The answer ends when no image ` +
      `has come for ${CAMERA_LIMITS.liveSilenceMs / 1000} seconds, and after ${EVENT_LIMITS.streamMs / 60_000} minutes: request it again.`,
    answer: z.string().meta({ format: 'binary' }),
    answerType: 'multipart/x-mixed-replace',
    example: '(JPEG images)',
    headers: { 'X-Content-Type-Options': '`nosniff`' },
    // Items are empty before the first frame, and while the camera has no frames. NOT_FOUND, RATE_LIMITED.
    core: stream('camera.live', {
      request: { token: TokenId, id: CameraId },
      /** JPEG in base64. */
      item: z.strictObject({ picture: z.string() }),
    }),
  }),
}
