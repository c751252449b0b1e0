/** Parameter `galleries` of a face update: the change to the galleries of a face. */
import * as z from 'zod'
import type { GalleryChange } from '../../contract/model/gallery.ts'
import { parseJsonText } from '../http/encodings/json.ts'
import { openapiOverrides } from '../openapi/overrides.ts'
import { GALLERY_NAMES, galleryNames, NAMES_SCHEMA } from './parameter-fields.ts'

const GALLERY_CHANGES = ['add', 'del', 'set'] as const

/** `{"add": names}`, `{"del": names}` or `{"set": names}`, as JSON or JSON text. Names may have any list notation. */
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
    properties: { add: NAMES_SCHEMA, del: NAMES_SCHEMA, set: NAMES_SCHEMA },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    description:
      'Adds the face to galleries, removes it from galleries, or replaces its galleries. Expects exactly one key.',
    examples: [{ add: ['staff'] }],
  })
