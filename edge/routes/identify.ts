/** POST /identify: who, among the enrolled, is each face on the photo? */
import * as z from 'zod'
import { type Box, boxKey } from '../../core/contract/bbox.ts'
import { badParam } from '../../core/contract/errors.ts'
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
import { withLinks } from '../links.ts'
import { readPhoto } from '../photo.ts'
import { answer, route } from '../route.ts'

const IdentifyParameters = z.object({
  photo,
  x1: optional(number),
  y1: optional(number),
  x2: optional(number),
  y2: optional(number),
  threshold,
  n: withDefault(integer(0, Number.MAX_SAFE_INTEGER), 1),
  gallery: optional(gallery),
  /** The gallery of the path, on `/faces/gallery/<g>/identify`. */
  pathGallery: optional(gallery),
  strict: optional(boolean),
  mf_selector: selector,
})
type IdentifyParameters = z.output<typeof IdentifyParameters>

export const identify = ({ core, faces }: Deps) =>
  route(IdentifyParameters, async ({ caller, params, origin }) => {
    const owner = caller.owner
    const gallery = oneGallery(params)
    const selection = { selector: params.mf_selector, boxes: oneBox(params) }
    if (gallery !== DEFAULT_GALLERY)
      await core.ask('galleries.check', { owner, galleries: [gallery], param: 'gallery' })
    const file = await readPhoto(core, params.photo)
    const { selected } = await faces.look(file.bytes, selection, 'photo')
    const threshold = params.threshold === 'none' ? 0 : params.threshold
    const limit = params.n === 0 ? LIMITS.matches : Math.min(params.n, LIMITS.matches)
    const strict = params.strict === undefined ? {} : { strict: params.strict }
    const question = { owner, gallery, threshold, limit, ...strict }
    const found = (
      await core.ask(
        'identify',
        question,
        selected.map(face => face.chip),
      )
    ).answer
    const results = Object.fromEntries(
      selected.map(({ box }, i) => {
        const matches = found.matches[i] ?? []
        return [boxKey(box), matches.map(match => ({ ...match, face: withLinks(match.face, origin) }))]
      }),
    )
    return answer({ results }, 200, { 'x-live-servers': `${found.live}/${found.total}` })
  })

function oneGallery({ gallery, pathGallery }: IdentifyParameters): string {
  if (gallery !== undefined && pathGallery !== undefined && gallery !== pathGallery)
    throw badParam('gallery', gallery, 'The path names another gallery.')
  return pathGallery ?? gallery ?? DEFAULT_GALLERY
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
