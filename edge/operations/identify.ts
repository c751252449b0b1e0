/** POST /identify, also in one gallery: who, among the enrolled, is each face on the photo? */
import * as z from 'zod'
import { badParam } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { boxKey } from '../../core/contract/model/bbox.ts'
import { MatchSchema } from '../../core/contract/model/face.ts'
import { DEFAULT_GALLERY } from '../../core/contract/model/gallery.ts'
import { LivenessScore } from '../../core/contract/model/liveness.ts'
import type { EdgeServices } from '../deps.ts'
import { DETECTION_HEADERS, detectionHeader } from '../http/detection-header.ts'
import { withLinks } from '../http/links.ts'
import { boxParameters, givenBoxes } from '../parameters/box-parameters.ts'
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
import { answer, type OperationCall } from './route.ts'

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
      'For each face the text of its box, `[x1, y1, x2, y2]`: its matches, the most confident first.',
  }),
  liveness: z
    .record(z.string(), LivenessScore)
    .meta({ description: 'With `liveness`: that of each face on the photo, under the same text of its box.' })
    .optional(),
})

const described = {
  method: 'post',
  topic: 'Photos',
  details:
    'Faces without a match have an empty list. `n` of 0 stands for as many matches as there can be. Boxes override ' +
    '`mf_selector`: they come in `bbox`, or one box comes as x1, y1, x2 and y2. Both, and different, are refused.',
  status: 200,
  answer: IdentifyAnswer,
  headers: {
    ...DETECTION_HEADERS,
    'X-Live-Servers': 'How many parts of the database were searched, of how many there are: `3/4`.',
  },
  refusals: FACE_REFUSALS,
} as const satisfies Partial<Description<z.ZodObject>>

export const identify = operation(
  {
    ...described,
    name: 'identify',
    needs: 'read',
    path: '/identify',
    summary: 'Who, among the enrolled, is on the photo?',
    parameters: IdentifyParameters,
  },
  (deps, call) => matchesIn(call.params.gallery ?? DEFAULT_GALLERY, deps, call),
)

export const identifyInGallery = operation(
  {
    ...described,
    name: 'identifyInGallery',
    needs: 'read',
    path: '/faces/gallery/:gallery/identify',
    aliases: ['/face/gallery/:gallery/identify'],
    summary: 'Who, among the faces of a gallery, is on the photo?',
    parameters: InGalleryParameters,
  },
  async (deps, call) => {
    const { gallery } = call.params
    const also = optional(z.unknown()).parse(call.outsidePath('gallery')) ?? gallery
    if (also !== gallery) throw badParam('gallery', also, 'The path names another gallery.')
    return matchesIn(gallery, deps, call)
  },
)

async function matchesIn(
  gallery: string,
  { core, faces }: EdgeServices,
  { caller, params, origin }: OperationCall<IdentifyParameters>,
): Promise<Response> {
  const owner = caller.owner
  const selection = { selector: params.mf_selector, ...givenBoxes(params), ...livenessOf(params) }
  if (gallery !== DEFAULT_GALLERY)
    await core.ask('galleries.check', { owner, galleries: [gallery], param: 'gallery' })
  const file = await readPhoto(core, owner, params.photo)
  const analysed = await faces.analyze(file.bytes, selection, 'photo', caller.token)
  const { selected } = analysed
  assertLive(selected, params, 'photo')
  const threshold = params.threshold === 'none' ? 0 : params.threshold
  const limit = params.n === 0 ? LIMITS.matches : Math.min(params.n, LIMITS.matches)
  const question = { owner, gallery, threshold, limit, ...omitUndefined('strict', params.strict) }
  const chips = selected.map(face => face.chip)
  const found = (await core.ask('identify', question, chips)).answer
  const results = Object.fromEntries(
    selected.map(({ box }, i) => {
      const matches = found.matches[i] ?? []
      return [boxKey(box), matches.map(match => ({ ...match, face: withLinks(match.face, origin) }))]
    }),
  )
  const liveness = Object.fromEntries(selected.map(face => [boxKey(face.box), face.liveness]))
  const told = { results, ...(params.liveness && { liveness }) }
  const live = { 'x-live-servers': `${found.live}/${found.total}` }
  return answer(told, 200, { ...live, ...detectionHeader(analysed) })
}
