/** How the galleries of a face change, as callers write it. */
import * as z from 'zod'
import type { GalleryChange } from '../../core/contract/model/gallery.ts'
import { parseJsonText } from '../http/encodings/json.ts'
import { openapiOverrides } from '../openapi/overrides.ts'
import { GALLERY_NAMES, galleryNames, WRITTEN_NAMES } from './parameter-fields.ts'

const GALLERY_CHANGES = ['add', 'del', 'set'] as const

/** `{"add": [...]}`, or `del` or `set`, as JSON or its text; the names in any spelling of a list. */
export const galleryChange = z
  .unknown()
  .transform((value, context): GalleryChange => {
    const given = typeof value === 'string' ? parseJsonText(value) : value
    const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
    const [[key, list] = []] = entries
    const kind = GALLERY_CHANGES.find(known => known === key)
    const names = galleryNames.safeParse(list)
    if (entries.length === 1 && kind && names.success) return { kind, names: names.data }
    context.addIssue(`one of {"add": names}, {"del": names} and {"set": names} with ${GALLERY_NAMES}`)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'object',
    properties: { add: WRITTEN_NAMES, del: WRITTEN_NAMES, set: WRITTEN_NAMES },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    description: 'Galleries that the face comes into, leaves, or is in from now on: one of the three.',
    examples: [{ add: ['staff'] }],
  })
