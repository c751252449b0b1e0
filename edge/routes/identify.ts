/** POST /identify, also in one gallery: who, among the enrolled, is each face on the photo? */
import * as z from 'zod'
import { type Box, boxKey } from '../../core/contract/bbox.ts'
import { badParam } from '../../core/contract/errors.ts'
import { MatchSchema } from '../../core/contract/face.ts'
import { DEFAULT_GALLERY } from '../../core/contract/gallery.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { checkedBox } from '../boxes.ts'
import type { Deps } from '../deps.ts'
import {
  boolean,
  gallery,
  integer,
  number,
  optional,
  photo,
  selector,
  threshold,
  withDefault,
} from '../fields.ts'
import { given } from '../given.ts'
import { withLinks } from '../links.ts'
import { type Description, operation } from '../operation.ts'
import { FACE_REFUSALS, readPhoto } from '../photo.ts'
import { answer, type Call } from '../route.ts'

const IdentifyParameters = z.object({
  photo,
  x1: optional(number),
  y1: optional(number),
  x2: optional(number),
  y2: optional(number),
  threshold,
  n: withDefault(integer(0, Number.MAX_SAFE_INTEGER), 1),
  gallery: optional(gallery),
  strict: optional(boolean),
  mf_selector: selector,
})
type IdentifyParameters = z.output<typeof IdentifyParameters>

const InGalleryParameters = IdentifyParameters.extend({ gallery })

const IdentifyAnswer = z.strictObject({
  results: z.record(z.string(), z.array(MatchSchema)).meta({
    description:
      'For each face the text of its box, `[x1, y1, x2, y2]`: its matches, the most confident first.',
  }),
})

const described = {
  method: 'post',
  topic: 'Photos',
  details:
    'Faces without a match have an empty list. `n` of 0 stands for as many matches as there can be. All of x1, y1, ' +
    'x2, y2 are given or none is.',
  status: 200,
  answer: IdentifyAnswer,
  headers: {
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
    summary: 'Who, among the faces of a gallery, is on the photo?',
    parameters: InGalleryParameters,
  },
  async (deps, call) => {
    const { gallery } = call.params
    const also = optional(z.unknown()).parse(call.beside('gallery')) ?? gallery
    if (also !== gallery) throw badParam('gallery', also, 'The path names another gallery.')
    return matchesIn(gallery, deps, call)
  },
)

async function matchesIn(
  gallery: string,
  { core, faces }: Deps,
  { caller, params, origin }: Call<IdentifyParameters>,
): Promise<Response> {
  const owner = caller.owner
  const selection = { selector: params.mf_selector, boxes: oneBox(params), boxesParam: 'x1' }
  if (gallery !== DEFAULT_GALLERY)
    await core.ask('galleries.check', { owner, galleries: [gallery], param: 'gallery' })
  const file = await readPhoto(core, params.photo)
  const { selected } = await faces.look(file.bytes, selection, 'photo')
  const threshold = params.threshold === 'none' ? 0 : params.threshold
  const limit = params.n === 0 ? LIMITS.matches : Math.min(params.n, LIMITS.matches)
  const question = { owner, gallery, threshold, limit, ...given('strict', params.strict) }
  const chips = selected.map(face => face.chip)
  const found = (await core.ask('identify', question, chips)).answer
  const results = Object.fromEntries(
    selected.map(({ box }, i) => {
      const matches = found.matches[i] ?? []
      return [boxKey(box), matches.map(match => ({ ...match, face: withLinks(match.face, origin) }))]
    }),
  )
  return answer({ results }, 200, { 'x-live-servers': `${found.live}/${found.total}` })
}

/** All four coordinates are given or none is. */
function oneBox(params: IdentifyParameters): Box[] {
  const { x1, y1, x2, y2 } = params
  const corners = { x1, y1, x2, y2 }
  const given = Object.values(corners).filter(value => value !== undefined)
  if (given.length === 0) return []
  for (const [param, value] of Object.entries(corners))
    if (value === undefined) throw badParam(param, '', 'x1, y1, x2 and y2 are given together.')
  const box = checkedBox(corners as Box)
  if (typeof box === 'string') throw badParam('x1', x1, box)
  return [box]
}
