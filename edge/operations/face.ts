/** POST /face, GET and DELETE /face/id/<id>: enrol faces, read or delete one face. */
import * as z from 'zod'
import { badParam } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { FaceSchema } from '../../contract/model/face.ts'
import { sha256 } from '../../contract/rpc/signature.ts'
import { thumbnailCrop } from '../../wasm/imaging/thumbnail.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { changedBy } from '../admission/tokens.ts'
import { DETECTION_HEADERS, detectionHeader } from '../http/detection-header.ts'
import { withLinks } from '../http/links.ts'
import { attributes, requestedAttributes } from '../parameters/attributes.ts'
import { reportedDetails } from '../parameters/face-details.ts'
import { assertLive, livenessOf, livenessParameters } from '../parameters/liveness.ts'
import { metaToStore } from '../parameters/meta.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import {
  boxes,
  cameraId,
  galleries,
  json,
  optional,
  photo,
  selector,
  timestamp,
  withDefault,
} from '../parameters/parameter-fields.ts'
import { numberInPath, numberOf } from '../parameters/path-ids.ts'
import { assertQuality, minQuality, quality } from '../parameters/quality.ts'
import { FACE_REFUSALS, readPhoto } from '../vision/photo-upload.ts'
import { operation } from './operation.ts'
import { jsonResponse, noContent } from './route.ts'

const EnrolParameters = z.object({
  photo,
  meta: withDefault(metaToStore, ''),
  bbox: optional(boxes),
  mf_selector: selector,
  galleries: withDefault(galleries, []),
  cam_id: optional(cameraId),
  timestamp: optional(timestamp.refine(Number.isSafeInteger, 'a time from 1685 to 2254')),
  detectorParams: optional(json),
  quality,
  min_quality: minQuality,
  ...livenessParameters,
  ...attributes,
})

export const enrol = operation(
  {
    name: 'enrol',
    needs: 'post',
    method: 'post',
    path: '/face',
    aliases: ['/faces'],
    topic: 'Faces',
    summary: 'Enrol the faces of a photo',
    details:
      'Stores all selected faces or none. Every face is also in the gallery `default`. Boxes override `mf_selector`.',
    parameters: EnrolParameters,
    // A camera client of the original product sends a picture of the face in this field.
    unused: ['face0'],
    requestHeaders: {
      'Idempotency-Key': {
        type: 'string',
        maxLength: LIMITS.idempotencyKeyLength,
        description:
          'A unique name of the request, chosen by the client. For 24 hours, a repeated request with the same key gets the ' +
          'first response. A different request with the same key is refused with `BAD_PARAM`.',
      },
    },
    status: 200,
    answer: z.strictObject({ results: z.array(FaceSchema) }),
    headers: DETECTION_HEADERS,
    refusals: [...FACE_REFUSALS, 'LOW_QUALITY'],
  },
  async ({ core, faces }, { caller, params, version, origin, header, stageEnded, countFaces }) => {
    const requested = requestedAttributes({ caller, version, params })
    const file = await readPhoto(core, caller.owner, params.photo)
    // Identical files have identical hashes.
    const photoHash = await sha256(file.bytes)
    const request = [photoHash, { ...params, photo: file.name }]
    const idempotency = await idempotencyOf(header('idempotency-key'), request)
    const selection = {
      selector: params.mf_selector,
      boxes: params.bbox ?? [],
      quality: params.quality || params.min_quality !== undefined,
      ...livenessOf(params),
    }
    const analysed = await faces.analyze(file.bytes, selection, 'photo', { token: caller.token, stageEnded })
    countFaces(analysed)
    const { selected } = analysed
    assertLive(selected, params, 'photo')
    assertQuality(selected, params.min_quality)
    const question = {
      ...changedBy(caller),
      photo: file.name,
      photoHash,
      meta: params.meta,
      galleries: params.galleries,
      faces: selected.map(face => ({
        box: face.box,
        thumbnail: thumbnailCrop(face.thumbnail),
        ...reportedDetails(params, face),
      })),
      ...omitUndefined('timestamp', params.timestamp),
      ...omitUndefined('detectorInfo', params.detectorParams),
      ...omitUndefined('camera', params.cam_id),
      ...omitUndefined('asked', requested),
      ...omitUndefined('idempotency', idempotency),
    }
    const enrolled = await core.call('enrol', question, pictures(selected))
    const results = enrolled.answer.faces.map(face => withLinks(face, origin))
    return jsonResponse({ results }, 200, detectionHeader(analysed))
  },
)

/** Blobs of the RPC request: chip and thumbnail of each face, in order. */
const pictures = (selected: PhotoAnalysis['selected']): Uint8Array[] =>
  selected.flatMap(({ chip, thumbnail }) => [chip, thumbnail.data])

/** The idempotency key and a hash of the complete request; undefined without a key. Throws BAD_PARAM for a long key. */
async function idempotencyOf(key: string | undefined, request: unknown) {
  if (key === undefined || key === '') return undefined
  if (key.length > LIMITS.idempotencyKeyLength)
    throw badParam('Idempotency-Key', key, `At most ${LIMITS.idempotencyKeyLength} characters.`)
  return { key, requestHash: await sha256(JSON.stringify(request)) }
}

const FaceParameters = z.object({ id: numberInPath })

const byId = {
  path: '/face/id/:id',
  aliases: ['/faces/id/:id'],
  topic: 'Faces',
  refusals: ['NOT_FOUND'],
} as const

export const getFace = operation(
  {
    ...byId,
    name: 'getFace',
    needs: 'read',
    method: 'get',
    summary: 'Get a face',
    parameters: FaceParameters,
    status: 200,
    answer: FaceSchema,
  },
  async ({ core }, { caller, params, origin }) => {
    const { face } = (await core.call('face.get', { owner: caller.owner, id: numberOf(params.id) })).answer
    return jsonResponse(withLinks(face, origin))
  },
)

export const deleteFace = operation(
  {
    ...byId,
    name: 'deleteFace',
    needs: 'change',
    method: 'delete',
    summary: 'Delete a face with its vector and its pictures',
    parameters: FaceParameters,
    status: 204,
  },
  async ({ core }, { caller, params }) => {
    await core.call('face.delete', { ...changedBy(caller), id: numberOf(params.id) })
    return noContent()
  },
)
