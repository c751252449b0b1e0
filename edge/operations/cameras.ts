/** Handlers of cameras: credentials of their URLs, and pictures. */
import { badParam, ServiceError } from '../../contract/errors.ts'
import { CAMERA_LIMITS } from '../../contract/limits/cameras.ts'
import type { CameraReport } from '../../contract/model/camera.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { shownCamera } from '../../contract/operations/cameras.ts'
import type { Caller } from '../../contract/operations/operation.ts'
import { isMasked, unmaskedUrl } from '../../contract/url-credentials.ts'
import { readHeader } from '../../wasm/decode/header.ts'
import type { Core } from '../core-client/core-client.ts'
import { jsonResponse } from '../http/context.ts'
import { pictureStream } from '../http/streamed.ts'
import { authorOf } from './forward.ts'
import type { CallOf } from './route.ts'

export const cameraHandlers = {
  async createCamera({ core, caller, params }: CallOf<'createCamera'>): Promise<Response> {
    const camera = { ...params, url: await urlToStore(core, caller, params.url) }
    const { response } = await core.call('camera.create', { ...authorOf(caller), camera })
    return jsonResponse(shownCamera(response.camera, caller), 201)
  },

  async changeCamera({ core, caller, params }: CallOf<'changeCamera'>): Promise<Response> {
    const { id, ...changes } = params
    const camera = { ...changes, url: await urlToStore(core, caller, changes.url, id) }
    const { response } = await core.call('camera.update', { ...authorOf(caller), id, camera })
    return jsonResponse(shownCamera(response.camera, caller))
  },

  async leaseCamera({ core, caller, params }: CallOf<'leaseCamera'>): Promise<Response> {
    const { id, watcher, picture, live, recording, ...report } = params
    const bounds = live === undefined ? PICTURE : FRAME
    if (picture) assertSmallJpeg(picture, bounds)
    const request = {
      owner: caller.owner,
      id,
      watcher,
      report: { ...UNKNOWN, ...omitUndefined(report) } as CameraReport,
      // A core of an earlier version does not know the field.
      ...(live !== undefined && { live }),
      ...(recording && { recording }),
    }
    const { response } = await core.call('camera.lease', request, picture ? [picture] : [])
    return jsonResponse({ picture_wanted: response.wanted })
  },

  async putRecording({ core, caller, params }: CallOf<'putRecording'>): Promise<Response> {
    const { piece, ...request } = params
    const { response } = await core.call('recording.put', { ...authorOf(caller), ...request }, [piece])
    return jsonResponse(response.recording)
  },

  async getRecording({ core, caller, params }: CallOf<'getRecording'>): Promise<Response> {
    const [bytes] = (await core.call('recording.get', { owner: caller.owner, ...params })).blobs
    return privateFile(bytes!, 'application/octet-stream')
  },

  async getCameraPicture({ core, caller, params }: CallOf<'getCameraPicture'>): Promise<Response> {
    const [bytes] = (await core.call('camera.picture', { owner: caller.owner, id: params.id })).blobs
    if (!bytes)
      throw new ServiceError('NOT_FOUND', {
        reason: 'There is no picture yet. The watcher was asked for one.',
        retryAfter: CAMERA_LIMITS.pictureRetrySeconds,
      })
    return privateFile(bytes, 'image/jpeg')
  },

  async getCameraLive({
    core,
    caller: { owner, token },
    params,
  }: CallOf<'getCameraLive'>): Promise<Response> {
    return pictureStream(await core.stream('camera.live', { owner, token, id: params.id }))
  },
}

const privateFile = (bytes: Uint8Array, type: string) =>
  new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })

/** The fields of a report that core expects, where a watcher does not know them. */
const UNKNOWN = {
  fps: null,
  dropped: null,
  frame_age: null,
  last_error: null,
  width: null,
  height: null,
  losses: null,
}

/** Greatest bytes and pixels of a side. */
const PICTURE = { bytes: CAMERA_LIMITS.pictureBytes, side: CAMERA_LIMITS.pictureSide }
const FRAME = { bytes: CAMERA_LIMITS.liveBytes, side: CAMERA_LIMITS.liveSide }

/** The URL to store. A masked one gets the credentials of the stored camera. Throws BAD_PARAM, and NOT_FOUND. */
async function urlToStore(
  core: Core,
  { owner }: Caller,
  url: string | undefined,
  id?: string,
): Promise<string | undefined> {
  if (url === undefined || !isMasked(url)) return url
  const stored = id && (await core.call('camera.get', { owner, id })).response.camera.url
  const unmasked = stored && unmaskedUrl(url, stored)
  if (unmasked) return unmasked
  throw badParam(
    'url',
    url,
    'url: *** stands for credentials that are stored for the same scheme, host and port. Send the credentials themselves.',
  )
}

/** Throws PHOTO_TOO_LARGE, BAD_IMAGE or BAD_PARAM unless the bytes begin as a JPEG file of a small picture. */
function assertSmallJpeg(bytes: Uint8Array, most: { bytes: number; side: number }) {
  if (bytes.length > most.bytes)
    throw new ServiceError('PHOTO_TOO_LARGE', {
      reason: `picture: expected at most ${most.bytes} bytes.`,
      param: 'picture',
    })
  const { format, width, height } = readHeader(bytes)
  const { side } = most
  if (format !== 'jpeg' || Math.max(width, height) > side)
    throw badParam(
      'picture',
      '(file)',
      `picture: expected a JPEG image of at most ${side} pixels on each side.`,
    )
}
