/** POST /detect: detects faces. The edge needs core only for attributes, photo URLs and photos beyond its decode limits. */
import * as z from 'zod'
import {
  type Attributes,
  AttributesSchema,
  type RequestedAttributes,
} from '../../contract/model/attributes.ts'
import { BoxSchema } from '../../contract/model/bbox.ts'
import { FACE_DETAILS } from '../../contract/model/face-details.ts'
import type { Selection } from '../../contract/model/selector.ts'
import { thumbnailCrop } from '../../wasm/imaging/thumbnail.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import type { Core } from '../core-client/core-client.ts'
import { DETECTION_HEADERS, detectionHeader } from '../http/detection-header.ts'
import { attributes, requestedAttributes } from '../parameters/attributes.ts'
import { boxParameters, requestedBoxes } from '../parameters/box-parameters.ts'
import {
  detailParameters,
  reportedDetails,
  requestedDetails,
  requestsDetails,
} from '../parameters/face-details.ts'
import { assertLive, livenessOf, livenessParameters } from '../parameters/liveness.ts'
import { photo } from '../parameters/parameter-fields.ts'
import { PHOTO_REFUSALS, readPhoto } from '../vision/photo-upload.ts'
import { operation } from './operation.ts'
import { jsonResponse } from './route.ts'

const detected = { ...BoxSchema.shape, ...FACE_DETAILS }

const DetectAnswer = z.strictObject({
  faces: z.array(z.strictObject(detected)),
  orientation: z.int().min(1).max(8).meta({ description: 'EXIF orientation; 1 if the photo has none.' }),
  reason: z
    .string()
    .meta({ description: 'Why `faces` is empty, for people: the photo shows faces, but they are too small.' })
    .optional(),
})

/** Each box with the requested attributes. */
const AttributedAnswer = DetectAnswer.extend({
  faces: z.array(z.strictObject({ ...detected, ...AttributesSchema.shape })),
})

export const detect = operation(
  {
    name: 'detect',
    needs: 'read',
    method: 'post',
    path: '/detect',
    topic: 'Photos',
    summary: 'Detect the faces on a photo',
    details:
      'Boxes are in pixels of the upright photo. A photo without a face gives an empty list. With `bbox`, or with all of x1, ' +
      'y1, x2 and y2, the operation skips detection and returns these boxes in their order with the requested details.',
    parameters: z.object({
      photo,
      ...boxParameters,
      ...detailParameters,
      min_liveness: livenessParameters.min_liveness,
      ...attributes,
    }),
    status: 200,
    answer: DetectAnswer,
    answerOfV1: AttributedAnswer,
    headers: DETECTION_HEADERS,
    refusals: [...PHOTO_REFUSALS, 'TOO_MANY_FACES', 'LIVENESS_FAILED'],
  },
  async ({ core, faces }, { caller, params, version, stageEnded, countFaces }) => {
    const requested = requestedAttributes({ caller, version, params })
    const given = requestedBoxes(params)
    const file = await readPhoto(core, caller.owner, params.photo)
    const details = { ...requestedDetails(params), ...livenessOf(params) }
    const needsChips = requested !== undefined || requestsDetails(details) || given.boxes.length > 0
    const selection: Selection | undefined = needsChips
      ? { selector: 'any', ...given, ...details }
      : undefined
    const analysed = await faces.analyze(file.bytes, selection, 'photo', { token: caller.token, stageEnded })
    countFaces(analysed)
    const { faces: boxes, orientation, reason, selected } = analysed
    assertLive(selected, params, 'photo')
    const found = requested && selected.length > 0 ? await attributesOf(core, requested, selected) : []
    const results = boxes.map((box, i) => ({
      ...box,
      ...reportedDetails(params, selected[i]),
      ...found[i],
    }))
    return jsonResponse({ faces: results, orientation, reason }, 200, detectionHeader(analysed))
  },
)

async function attributesOf(
  core: Core,
  asked: RequestedAttributes,
  selected: PhotoAnalysis['selected'],
): Promise<Attributes[]> {
  const thumbnails = asked.emotions ? selected.map(({ thumbnail }) => thumbnail) : []
  const pictures = [...selected.map(({ chip }) => chip), ...thumbnails.map(({ data }) => data)]
  const question = { asked, thumbnails: thumbnails.map(thumbnailCrop) }
  return (await core.call('attributes', question, pictures)).answer.faces
}
