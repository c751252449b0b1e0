/** PUT and DELETE /camera/<id>/lease, GET /camera/<id>/state and /camera/<id>/picture: for watchers, and what they see. */
import * as z from 'zod'
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { LIMITS } from '../../../contract/limits.ts'
import {
  CameraStateSchema,
  STREAM_ERRORS,
  WATCHER_PATTERN,
} from '../../../contract/model/watching/camera-state.ts'
import { readHeader } from '../../../wasm/decode/header.ts'
import { Upload } from '../../http/encodings/upload.ts'
import { openapiOverrides } from '../../openapi/overrides.ts'
import { integer, number, optional } from '../../parameters/parameter-fields.ts'
import { cameraInPath, cameraOf } from '../../parameters/path-ids.ts'
import { word } from '../../parameters/scalars.ts'
import { operation } from '../operation.ts'
import { jsonResponse, noContent } from '../route.ts'

const ById = z.object({ id: cameraInPath })

const byId = { topic: 'Cameras', refusals: ['NOT_FOUND'] } as const

const watcher = z
  .unknown()
  .transform((value, context): string => {
    if (typeof value === 'string' && WATCHER_PATTERN.test(value)) return value
    context.addIssue('1 to 64 of the characters a-z, A-Z, 0-9, _, . and -')
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'string',
    pattern: WATCHER_PATTERN.source,
    description: 'A name that the watcher chooses for each run, for example a UUID.',
  })

const streamError = z
  .unknown()
  .transform((value, context) => {
    const error = STREAM_ERRORS.find(known => known === word(value))
    if (error) return error
    context.addIssue(`one of ${STREAM_ERRORS.join(', ')}`)
    return z.NEVER
  })
  .register(openapiOverrides, { type: 'string', enum: STREAM_ERRORS })

/** A file only: the watcher has the picture in memory. */
const picture = z
  .unknown()
  .transform((value, context): Uint8Array => {
    if (value instanceof Upload) return value.bytes
    context.addIssue('a multipart file or a data: URL')
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'string',
    format: 'uri',
    upload: true,
    description: `The last frame: a JPEG image of at most ${LIMITS.cameraPictureSide} pixels on each side.`,
  })

const count = integer(0, Number.MAX_SAFE_INTEGER)
const measure = number.refine(value => value >= 0 && value <= 1e9, 'a number from 0 to 1000000000')
const rate = number.refine(value => value >= 0 && value <= 1_000, 'a number from 0 to 1000')

export const leaseCamera = operation(
  {
    ...byId,
    name: 'leaseCamera',
    needs: 'post',
    method: 'put',
    path: '/camera/:id/lease',
    aliases: ['/cameras/:id/lease'],
    refusals: ['NOT_FOUND', 'CAMERA_TAKEN', 'BAD_IMAGE'],
    summary: 'Take a camera as its watcher, or report its state',
    details:
      `The lease lasts ${LIMITS.cameraLeaseMs / 1000} seconds from the last report. Until then, other watchers get \`CAMERA_TAKEN\` ` +
      'with `Retry-After`. Send a `picture` while the last answer had `picture_wanted`. A report without a picture deletes the ' +
      'previous one. Absent fields are unknown.',
    parameters: z.object({
      ...ById.shape,
      watcher,
      fps: optional(rate.meta({ description: 'Frames a second that arrive.' })),
      dropped: optional(
        count.meta({ description: 'Frames that were not analysed because newer ones had arrived.' }),
      ),
      frame_age: optional(measure.meta({ description: 'Seconds since the last frame.' })),
      last_error: optional(streamError.meta({ description: 'Why the stream ended last.' })),
      width: optional(count.meta({ description: 'Pixels of a frame.' })),
      height: optional(count),
      losses: optional(count.meta({ description: 'How often the stream has ended.' })),
      picture: optional(picture),
    }),
    status: 200,
    answer: z.strictObject({ picture_wanted: z.boolean() }),
  },
  async ({ core }, { caller, params: { id, watcher: name, picture: bytes, ...report } }) => {
    if (bytes) assertSmallJpeg(bytes)
    const question = {
      ...{ owner: caller.owner, id: cameraOf(id), watcher: name },
      report: {
        fps: report.fps ?? null,
        dropped: report.dropped ?? null,
        frame_age: report.frame_age ?? null,
        last_error: report.last_error ?? null,
        width: report.width ?? null,
        height: report.height ?? null,
        losses: report.losses ?? null,
      },
    }
    const { answer } = await core.call('camera.lease', question, bytes ? [bytes] : [])
    return jsonResponse({ picture_wanted: answer.wanted })
  },
)

/** Throws PHOTO_TOO_LARGE, BAD_IMAGE or BAD_PARAM unless the bytes begin as a JPEG file of a small picture. */
function assertSmallJpeg(bytes: Uint8Array): void {
  if (bytes.length > LIMITS.cameraPictureBytes)
    throw new ServiceError('PHOTO_TOO_LARGE', {
      reason: `picture: expected at most ${LIMITS.cameraPictureBytes} bytes.`,
      param: 'picture',
    })
  const { format, width, height } = readHeader(bytes)
  const side = LIMITS.cameraPictureSide
  if (format !== 'jpeg' || Math.max(width, height) > side)
    throw badParam(
      'picture',
      '(file)',
      `picture: expected a JPEG image of at most ${side} pixels on each side.`,
    )
}

export const releaseCamera = operation(
  {
    ...byId,
    name: 'releaseCamera',
    needs: 'post',
    method: 'delete',
    path: '/camera/:id/lease',
    aliases: ['/cameras/:id/lease'],
    summary: 'Give a camera back as its watcher',
    details: 'Other watchers may take it at once. Nothing changes when another watcher holds the camera.',
    parameters: z.object({ ...ById.shape, watcher }),
    status: 204,
  },
  async ({ core }, { caller, params }) => {
    const question = { owner: caller.owner, id: cameraOf(params.id), watcher: params.watcher }
    await core.call('camera.release', question)
    return noContent()
  },
)

export const getCameraState = operation(
  {
    ...byId,
    name: 'getCameraState',
    needs: 'read_cameras',
    method: 'get',
    path: '/camera/:id/state',
    aliases: ['/cameras/:id/state'],
    summary: 'Get the state of a camera',
    details:
      '`live`: a watcher holds the camera, and frames arrive. The other fields are those of its last report, and null for a camera ' +
      'that no watcher has taken or that was given back.',
    parameters: ById,
    status: 200,
    answer: CameraStateSchema,
  },
  async ({ core }, { caller, params }) => {
    const question = { owner: caller.owner, id: cameraOf(params.id) }
    return jsonResponse((await core.call('camera.state', question)).answer.state)
  },
)

export const getCameraPicture = operation(
  {
    ...byId,
    name: 'getCameraPicture',
    needs: 'read',
    method: 'get',
    path: '/camera/:id/picture',
    aliases: ['/cameras/:id/picture'],
    summary: 'Get the last frame of a camera',
    details:
      'A JPEG image, with boxes around the faces. Watchers send pictures only after a request, for ' +
      `${LIMITS.cameraWantedMs / 1000} seconds: the first request gets \`NOT_FOUND\` with \`Retry-After\`. Then there is a new picture ` +
      `every ${LIMITS.cameraPictureMs / 1000} seconds. \`NOT_FOUND\` without \`Retry-After\`: no watcher watches the camera.`,
    parameters: ById,
    status: 200,
    answer: z.string().meta({ format: 'binary' }),
    answerType: 'image/jpeg',
    headers: { 'X-Content-Type-Options': '`nosniff`' },
  },
  async ({ core }, { caller, params }) => {
    const question = { owner: caller.owner, id: cameraOf(params.id) }
    const [bytes] = (await core.call('camera.picture', question)).blobs
    if (!bytes)
      throw new ServiceError('NOT_FOUND', {
        reason: 'There is no picture yet. The watcher was asked for one.',
        retryAfter: LIMITS.cameraPictureRetrySeconds,
      })
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
    })
  },
)
