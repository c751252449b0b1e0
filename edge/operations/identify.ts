/** POST /identify, and identify in one gallery: 1:N search for each face of a photo. */
import * as z from 'zod'
import { badParam } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { boxKey } from '../../contract/model/bbox.ts'
import { MatchSchema } from '../../contract/model/face.ts'
import { DEFAULT_GALLERY } from '../../contract/model/gallery.ts'
import { LivenessScore } from '../../contract/model/liveness.ts'
import type { EdgeServices } from '../deps.ts'
import { DETECTION_HEADERS, detectionHeader } from '../http/detection-header.ts'
import { withLinks } from '../http/links.ts'
import { boxParameters, requestedBoxes } from '../parameters/box-parameters.ts'
import { assertLive, livenessOf, livenessParameters } from '../parameters/liveness.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import {
  boolean,
  gallery,
  integer,
  optional,
  photo,
  selector,
  threshold,
  withDefault,
} from '../parameters/parameter-fields.ts'
import { FACE_REFUSALS, readPhoto } from '../vision/photo-upload.ts'
import { type Description, operation } from './operation.ts'
import { jsonResponse, type OperationCall } from './route.ts'

const IdentifyParameters = z.object({
  photo,
  ...boxParameters,
  threshold,
  n: withDefault(integer(0, Number.MAX_SAFE_INTEGER), 1),
  gallery: optional(gallery),
  strict: optional(boolean),
  mf_selector: selector,
  ...livenessParameters,
})
type IdentifyParameters = z.output<typeof IdentifyParameters>

const InGalleryParameters = IdentifyParameters.extend({ gallery })

const IdentifyAnswer = z.strictObject({
  results: z.record(z.string(), z.array(MatchSchema)).meta({
    description:
      'Matches of each face, in descending order of confidence. The key is the box of the face: `[x1, y1, x2, y2]`.',
  }),
  liveness: z
    .record(z.string(), LivenessScore)
    .meta({ description: 'With `liveness`: the liveness of each face, with the same keys.' })
    .optional(),
})

const common = {
  method: 'post',
  topic: 'Photos',
  details:
    `A face without a match has an empty list. \`n\` is the maximum number of matches per face; 0 stands for ${LIMITS.matches}. ` +
    'Boxes override `mf_selector`. `bbox` contains boxes; x1, y1, x2 and y2 are one box. Different values in both are refused.',
  status: 200,
  answer: IdentifyAnswer,
  headers: {
    ...DETECTION_HEADERS,
    'X-Live-Servers': 'Number of searched shards and number of all shards, for example `3/4`.',
  },
  refusals: FACE_REFUSALS,
} as const satisfies Partial<Description<z.ZodObject>>

export const identify = operation(
  {
    ...common,
    name: 'identify',
    needs: 'read',
    path: '/identify',
    summary: 'Search for the faces of a photo among enrolled faces',
    parameters: IdentifyParameters,
  },
  (deps, call) => matchesIn(call.params.gallery ?? DEFAULT_GALLERY, deps, call),
)

export const identifyInGallery = operation(
  {
    ...common,
    name: 'identifyInGallery',
    needs: 'read',
    path: '/faces/gallery/:gallery/identify',
    aliases: ['/face/gallery/:gallery/identify'],
    summary: 'Search for the faces of a photo in a gallery',
    parameters: InGalleryParameters,
  },
  async (deps, call) => {
    const { gallery } = call.params
    const other = optional(z.unknown()).parse(call.outsidePath('gallery')) ?? gallery
    if (other !== gallery) throw badParam('gallery', other, 'The path names another gallery.')
    return matchesIn(gallery, deps, call)
  },
)

async function matchesIn(
  gallery: string,
  { core, faces }: EdgeServices,
  { caller, params, origin, stageEnded, countFaces }: OperationCall<IdentifyParameters>,
): Promise<Response> {
  const owner = caller.owner
  const selection = { selector: params.mf_selector, ...requestedBoxes(params), ...livenessOf(params) }
  const file = await readPhoto(core, owner, params.photo)
  const analysed = await faces.analyze(file.bytes, selection, 'photo', { token: caller.token, stageEnded })
  countFaces(analysed)
  const { selected } = analysed
  assertLive(selected, params, 'photo')
  const threshold = params.threshold === 'none' ? 0 : params.threshold
  const limit = params.n === 0 ? LIMITS.matches : Math.min(params.n, LIMITS.matches)
  const question = { owner, gallery, threshold, limit, ...omitUndefined('strict', params.strict) }
  const chips = selected.map(face => face.chip)
  const found = (await core.call('identify', question, chips)).answer
  const results = Object.fromEntries(
    selected.map(({ box }, i) => {
      const matches = found.matches[i] ?? []
      return [boxKey(box), matches.map(match => ({ ...match, face: withLinks(match.face, origin) }))]
    }),
  )
  const liveness = Object.fromEntries(selected.map(face => [boxKey(face.box), face.liveness]))
  const body = { results, ...(params.liveness && { liveness }) }
  const live = { 'x-live-servers': `${found.live}/${found.total}` }
  return jsonResponse(body, 200, { ...live, ...detectionHeader(analysed) })
}
