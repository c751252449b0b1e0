/** Parameters that name stored things: galleries, cameras, persons, faces. */
import * as z from 'zod'
import { CAMERA_LIMITS } from '../limits/cameras.ts'
import { FACE_LIMITS } from '../limits/faces.ts'
import { DEFAULT_GALLERY, type GalleryChange, GalleryName } from '../model/gallery.ts'
import { FacePersonId, facePersonOf } from '../model/person.ts'
import { PASSKEY_ID } from '../model/user.ts'
import { asNumber, digitsOf, field, integer, isStorable, isUuid, nameList, readIds, word } from './fields.ts'
import { openapiOverrides } from './json-schema.ts'
import { parsedText } from './json-text.ts'

/** An id of a face, a person, an event or a delivery. */
export const id = integer(0, Number.MAX_SAFE_INTEGER)

const isGalleryName = (name: string) => GalleryName.safeParse(name).success
const A_NAME = '1 to 48 of the characters a-z, A-Z, 0-9, _ and -'
const GALLERY_NAMES = `at most ${FACE_LIMITS.galleriesPerRequest} gallery names, each of ${A_NAME}`

const galleryNames = nameList(FACE_LIMITS.galleriesPerRequest, isGalleryName, GALLERY_NAMES)

const NAME_SCHEMA = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,48}$' }
const NAMES_SCHEMA = { type: 'array', items: NAME_SCHEMA, maxItems: FACE_LIMITS.galleriesPerRequest }

/** Distinct gallery names. `default` is implied and removed. */
export const galleries = galleryNames
  .transform(names => [...new Set(names)].filter(name => name !== DEFAULT_GALLERY))
  .register(openapiOverrides, { ...NAMES_SCHEMA, description: 'Names of galleries.' })

export const gallery = field(value => {
  const name = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return typeof name === 'string' && isGalleryName(name) ? name : undefined
}, `a gallery name of ${A_NAME}`).register(openapiOverrides, {
  ...NAME_SCHEMA,
  description: 'The name of a gallery.',
})

const GALLERY_CHANGES = ['add', 'del', 'set'] as const

/** `{"add": names}`, `{"del": names}` or `{"set": names}`, as JSON or JSON text. Names may have any list notation. */
export const galleryChange = field((value): GalleryChange | undefined => {
  const given = parsedText(value)
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const [[key, list] = []] = entries
  const kind = GALLERY_CHANGES.find(known => known === key)
  const names = galleryNames.safeParse(list)
  return entries.length === 1 && kind && names.success ? { kind, names: names.data } : undefined
}, `one of {"add": names}, {"del": names} and {"set": names} with ${GALLERY_NAMES}`).register(
  openapiOverrides,
  {
    type: 'object',
    properties: { add: NAMES_SCHEMA, del: NAMES_SCHEMA, set: NAMES_SCHEMA },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    description:
      'Adds the face to galleries, removes it from galleries, or replaces its galleries. Expects exactly one key.',
    examples: [{ add: ['staff'] }],
  },
)

/** Days after enrolment when the service deletes faces automatically; 0 for never. */
export const retentionDays = integer(0, FACE_LIMITS.retentionDays).register(openapiOverrides, {
  type: 'integer',
  minimum: 0,
  maximum: FACE_LIMITS.retentionDays,
  description: 'Days after enrolment when the service deletes faces automatically; 0 for never.',
})

const CAMERA_SCHEMA = {
  type: 'string',
  format: 'uuid',
  description: 'The id of a camera, with or without hyphens.',
}

/** A UUID with or without hyphens, converted to 32 lower-case hexadecimal digits. */
export const cameraId = field(value => {
  const uuid = word(value) ?? ''
  return isUuid(uuid) ? digitsOf(uuid) : undefined
}, 'the UUID of a camera').register(openapiOverrides, CAMERA_SCHEMA)

const CAMERA_IDS = `at most ${CAMERA_LIMITS.perRequest} UUIDs of cameras`
const CAMERAS_SCHEMA = { type: 'array', items: CAMERA_SCHEMA, description: 'Ids of cameras.' }

/** Ids of cameras, in any list notation of readNames. */
export const cameraIds = nameList(CAMERA_LIMITS.perRequest, isUuid, CAMERA_IDS)
  .transform(uuids => uuids.map(digitsOf))
  .register(openapiOverrides, CAMERAS_SCHEMA)

/** The nil UUID, which no camera has. */
const NO_CAMERA = '0'.repeat(32)

const isNumber = (id: string) => Number.isFinite(asNumber(id))

/** A filter of cameras. Numbers are ids that no camera has: only the other values of the list count. */
export const cameraFilter = nameList(
  CAMERA_LIMITS.perRequest,
  id => isUuid(id) || isNumber(id),
  CAMERA_IDS,
  readIds,
)
  .transform(ids => ids.map(id => (isUuid(id) ? digitsOf(id) : NO_CAMERA)))
  .register(openapiOverrides, CAMERAS_SCHEMA)

/** Distinct whole numbers, 1 to `most` of them, as numbers of a JSON array or in any list notation of readIds. */
export const idList = (most: number, description: string) =>
  field(value => {
    const ids = [...new Set(readIds(value)?.map(idOf))]
    return ids.length > 0 && ids.length <= most && ids.every(Number.isSafeInteger) ? ids : undefined
  }, `a list of 1 to ${most} ids, which are whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}`).register(
    openapiOverrides,
    { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 1, maxItems: most, description },
  )

const idOf = (text: string) => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN)

const A_PERSON = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, or a text of at most ${FACE_LIMITS.personTextLength} characters without NUL`

/** The number of a person, or a text that is stored with the face and refers to no person. A text of digits is the number. */
export const personId = z
  .union([z.number(), z.string()], A_PERSON)
  .transform(facePersonOf)
  .refine(
    value => FacePersonId.safeParse(value).success && (typeof value === 'number' || isStorable(value)),
    A_PERSON,
  )
  .register(openapiOverrides, { type: ['number', 'string'] })

/** Whether the issue of a parameter is an id in a path that names nothing: NOT_FOUND instead of BAD_PARAM. */
export const isUnknownId = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.notFound === true

/** A path parameter that accepts any text. An invalid id is unknown. */
const inPath = <Id>(read: (text: string) => Id | undefined) =>
  z.string('an id').transform((text, context): Id => {
    const id = read(text)
    if (id !== undefined) return id
    context.addIssue({ code: 'custom', message: 'an id', params: { notFound: true } })
    return z.NEVER
  })

/** The number of a face, a person or a delivery. */
export const numberInPath = inPath(text => {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}).register(openapiOverrides, { type: 'integer', minimum: 0 })

/** The id of a camera as 32 lower-case hexadecimal digits; hyphens are optional in the path. */
export const cameraInPath = inPath(text => cameraId.safeParse(text).data).register(openapiOverrides, {
  type: 'string',
  format: 'uuid',
})

const matching = (pattern: RegExp) =>
  inPath(text => (pattern.test(text) ? text : undefined)).register(openapiOverrides, {
    type: 'string',
    pattern: pattern.source,
  })

export const alertInPath = matching(/^[0-9a-f]{32}$/)
export const tokenInPath = matching(/^[0-9a-f]{12}$/)
export const passkeyInPath = matching(PASSKEY_ID)
