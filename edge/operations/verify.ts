/** POST /verify: 1:1 comparison of the faces of two photos. */
import * as z from 'zod'
import { type Box, BoxSchema, boxOf } from '../../contract/model/bbox.ts'
import { LivenessScore } from '../../contract/model/liveness.ts'
import { DETECTION_HEADERS, detectionHeader } from '../http/detection-header.ts'
import { assertLive, livenessOf, livenessParameters } from '../parameters/liveness.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { boxes, optional, photo, selector, threshold } from '../parameters/parameter-fields.ts'
import { FACE_REFUSALS, readPhoto } from '../vision/photo-upload.ts'
import { operation } from './operation.ts'
import { jsonResponse } from './route.ts'

const VerifyParameters = z.object({
  photo1: photo,
  photo2: photo,
  bbox1: optional(boxes),
  bbox2: optional(boxes),
  threshold,
  mf_selector: selector,
  ...livenessParameters,
})

const VerifyAnswer = z.strictObject({
  results: z.array(
    z.strictObject({
      bbox1: BoxSchema,
      bbox2: BoxSchema,
      confidence: z.number().min(0).max(1),
      verified: z.boolean().optional(),
      liveness1: LivenessScore.optional(),
      liveness2: LivenessScore.optional(),
    }),
  ),
  verified: z.boolean().optional(),
})

export const verify = operation(
  {
    name: 'verify',
    needs: 'read',
    method: 'post',
    path: '/verify',
    topic: 'Photos',
    summary: 'Compare the faces of two photos',
    details:
      'One result per pair of faces. `verified` beside `results` is true if each face of the first photo has a match on the ' +
      'second photo. With the threshold `none` the response has no `verified` fields. Boxes override `mf_selector`.',
    parameters: VerifyParameters,
    status: 200,
    answer: VerifyAnswer,
    headers: DETECTION_HEADERS,
    refusals: FACE_REFUSALS,
  },
  async ({ core, faces }, { caller, params, stageEnded, countFaces }) => {
    const analyse = async (param: 'photo1' | 'photo2', requestedBoxes: Box[] = []) => {
      const file = await readPhoto(core, caller.owner, params[param])
      const boxesParam = param === 'photo1' ? 'bbox1' : 'bbox2'
      const selection = {
        selector: params.mf_selector,
        boxes: requestedBoxes,
        boxesParam,
        ...livenessOf(params),
      }
      const analysed = await faces.analyze(file.bytes, selection, param, { token: caller.token, stageEnded })
      countFaces(analysed)
      assertLive(analysed.selected, params, param)
      return analysed
    }
    // Sequential: two decoded photos may not fit into the memory of the isolate.
    const photo1 = await analyse('photo1', params.bbox1)
    const photo2 = await analyse('photo2', params.bbox2)
    const [first, second] = [photo1.selected, photo2.selected]
    const chips = [...first, ...second].map(face => face.chip)
    const { confidences } = (await core.call('compare', { first: first.length }, chips)).answer
    const threshold = params.threshold
    const results = first.flatMap((a, i) =>
      second.map((b, j) => {
        const confidence = confidences[i]?.[j] ?? 0
        const pair = {
          bbox1: boxOf(a.box),
          bbox2: boxOf(b.box),
          confidence,
          ...(params.liveness && {
            ...omitUndefined('liveness1', a.liveness),
            ...omitUndefined('liveness2', b.liveness),
          }),
        }
        return threshold === 'none' ? pair : { ...pair, verified: confidence >= threshold }
      }),
    )
    const headers = detectionHeader(photo1, photo2)
    if (threshold === 'none') return jsonResponse({ results }, 200, headers)
    // Each face of the first photo has a match on the second photo.
    const verified = confidences.every(row => row.some(confidence => confidence >= threshold))
    return jsonResponse({ results, verified }, 200, headers)
  },
)
