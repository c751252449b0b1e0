/**
 * Schemas of the kinds of parameters: convert a text, number, list or JSON value of any encoding to a typed value. The message
 * of an issue is a phrase that states the expected value.
 */
import * as z from 'zod'
import { LIMITS } from '../../contract/limits.ts'
import { DEFAULT_GALLERY, GalleryName } from '../../contract/model/gallery.ts'
import { SELECTORS } from '../../contract/model/selector.ts'
import { DEFAULT_THRESHOLD, THRESHOLDS, type ThresholdName } from '../../contract/model/thresholds.ts'
import { parseTimestamp } from '../../contract/timestamps.ts'
import { parseJsonText } from '../http/encodings/json.ts'
import { Upload } from '../http/encodings/upload.ts'
import { DEFAULTS, openapiOverrides } from '../openapi/overrides.ts'
import { parseBoxes } from './boxes.ts'
import { readIds, readNames } from './lists.ts'
import { asNumber, digitsOf, isPhotoUrl, isStorable, isUuid, word } from './scalars.ts'

/** Treats null and "" as absent. */
const blankIsAbsent = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

/** An optional field. */
export const optional = <T extends z.ZodType>(field: T) => z.preprocess(blankIsAbsent, field.optional())

/** An optional field with a default value. */
export const withDefault = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field)
    .transform((given): z.output<T> => given ?? value)
    .register(DEFAULTS, { default: value })

/** Text of at most `longest` characters. Numbers and booleans of a JSON body are converted to text. */
export const text = (longest: number) => {
  const expected = `a text of at most ${longest} characters, in Unicode and without NUL`
  return z
    .union([z.string(), z.number(), z.boolean()], expected)
    .transform(String)
    .refine(value => value.length <= longest && isStorable(value), expected)
    .register(openapiOverrides, { type: 'string', maxLength: longest })
}

/** A number or its text that passes a check. */
const numberThat = (isInRange: (value: number) => boolean, expected: string) =>
  z.union([z.number(), z.string()], expected).transform((value, context): number => {
    const parsed = asNumber(value)
    if (Number.isFinite(parsed) && isInRange(parsed)) return parsed
    context.addIssue(expected)
    return z.NEVER
  })

/** A number or its text. */
export const number = numberThat(() => true, 'a number').register(openapiOverrides, { type: 'number' })

/** A number from 0 to 1. */
export const fraction = numberThat(value => value >= 0 && value <= 1, 'a number from 0 to 1').register(
  openapiOverrides,
  { type: 'number', minimum: 0, maximum: 1 },
)

export const integer = (least: number, most: number) =>
  numberThat(
    value => Number.isInteger(value) && value >= least && value <= most,
    `a whole number from ${least} to ${most}`,
  ).register(openapiOverrides, { type: 'integer', minimum: least, maximum: most })

const TRUE = ['true', '1', 'yes', 'on']
const FALSE = ['false', '0', 'no', 'off']
const A_BOOLEAN = 'true or false (or 1, 0, yes, no, on, off)'

/** true, false, 1, 0, yes, no, on or off, case-insensitive; or a JSON boolean. */
export const boolean = z
  .union([z.string(), z.number(), z.boolean()], A_BOOLEAN)
  .transform((value, context): boolean => {
    const given = word(String(value))?.toLowerCase() ?? ''
    if (TRUE.includes(given)) return true
    if (FALSE.includes(given)) return false
    context.addIssue(A_BOOLEAN)
    return z.NEVER
  })
  .register(openapiOverrides, { type: 'boolean' })

/** At most `most` valid names, in any list notation of readNames. */
const nameList = (
  most: number,
  isName: (name: string) => boolean,
  expected: string,
  read: typeof readNames = readNames,
) =>
  z.unknown().transform((value, context): string[] => {
    const names = read(value)
    if (names && names.length <= most && names.every(isName)) return names
    context.addIssue(expected)
    return z.NEVER
  })

const isGalleryName = (name: string): boolean => GalleryName.safeParse(name).success
const A_NAME = '1 to 48 of the characters a-z, A-Z, 0-9, _ and -'
export const GALLERY_NAMES = `at most ${LIMITS.galleriesPerRequest} gallery names, each of ${A_NAME}`

export const galleryNames = nameList(LIMITS.galleriesPerRequest, isGalleryName, GALLERY_NAMES)

const NAME_SCHEMA = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,48}$' }
export const NAMES_SCHEMA = { type: 'array', items: NAME_SCHEMA, maxItems: LIMITS.galleriesPerRequest }

/** Distinct gallery names. `default` is implied and removed. */
export const galleries = galleryNames
  .transform(names => [...new Set(names)].filter(name => name !== DEFAULT_GALLERY))
  .register(openapiOverrides, { ...NAMES_SCHEMA, description: 'Names of galleries.' })

export const gallery = z
  .unknown()
  .transform((value, context): string => {
    const name = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    if (typeof name === 'string' && isGalleryName(name)) return name
    context.addIssue(`a gallery name of ${A_NAME}`)
    return z.NEVER
  })
  .register(openapiOverrides, { ...NAME_SCHEMA, description: 'The name of a gallery.' })

const corner = { type: 'number' }
const BOX_SCHEMA = {
  type: 'object',
  properties: { x1: corner, y1: corner, x2: corner, y2: corner },
  required: ['x1', 'y1', 'x2', 'y2'],
}

/** Days after enrolment when the service deletes faces automatically; 0 for never. */
export const retentionDays = integer(0, LIMITS.retentionDays).register(openapiOverrides, {
  type: 'integer',
  minimum: 0,
  maximum: LIMITS.retentionDays,
  description: 'Days after enrolment when the service deletes faces automatically; 0 for never.',
})

/** Boxes of faces. See boxes.ts. An empty list means absent. */
export const boxes = z
  .unknown()
  .transform((value, context) => {
    const parsed = parseBoxes(value)
    if (typeof parsed !== 'string') return parsed
    context.addIssue(parsed)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'array',
    items: BOX_SCHEMA,
    maxItems: LIMITS.boxes,
    description: `Boxes of the faces in pixels of the upright photo, each at least ${LIMITS.faceSide} x ${LIMITS.faceSide} pixels.`,
    examples: [[{ x1: 10, y1: 20, x2: 110, y2: 140 }]],
  })

const A_THRESHOLD = 'strict, medium, low, none or a number from 0 to 1'

const leastConfidence = z
  .union([z.string(), z.number()], A_THRESHOLD)
  .transform((value, context): number | 'none' => {
    const name = word(value) ?? ''
    if (name === 'none') return 'none'
    if (Object.hasOwn(THRESHOLDS, name)) return THRESHOLDS[name as ThresholdName]
    const parsed = asNumber(value)
    if (parsed >= 0 && parsed <= 1) return parsed
    context.addIssue(A_THRESHOLD)
    return z.NEVER
  })
  .register(openapiOverrides, {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', enum: Object.keys(THRESHOLDS) },
    ],
    description: 'The least confidence of a match: a number or a name.',
  })

/** Least confidence of a match, 0..1; `none` for results without a decision. */
export const threshold = withDefault(leastConfidence, DEFAULT_THRESHOLD)

/** Least confidence of a suggestion, below that of a match. */
export const suggestionThreshold = withDefault(leastConfidence, THRESHOLDS.medium)

export const selector = withDefault(
  z
    .unknown()
    .transform((value, context): (typeof SELECTORS)[number] => {
      const selector = SELECTORS.find(known => known === word(value))
      if (selector) return selector
      context.addIssue(`one of ${SELECTORS.join(', ')}`)
      return z.NEVER
    })
    .register(openapiOverrides, {
      type: 'string',
      enum: SELECTORS,
      description: 'Selects faces when the photo shows several. `reject` refuses the photo.',
    }),
  'biggest',
)

const A_PHOTO = `one photo: a multipart file, its URL of at most ${LIMITS.photoNameLength} characters, or a data: URL`

/** An uploaded photo or the URL of a photo. Data URLs are already decoded to uploads. */
export const photo = z
  .unknown()
  .transform((value, context): Upload | string => {
    if (value instanceof Upload && isStorable(value.name)) return value
    if (typeof value === 'string' && isPhotoUrl(value)) return value
    context.addIssue(value instanceof Upload ? 'a file name in Unicode and without NUL' : A_PHOTO)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'string',
    format: 'uri',
    maxLength: LIMITS.photoNameLength,
    upload: true,
    description: 'A photo: its public URL, or the file in a multipart body.',
  })

const A_TIME = 'a time in ISO 8601, such as 2017-05-17T08:58:00'

/** ISO 8601 text, converted to microseconds since 1970. */
export const timestamp = z
  .unknown()
  .transform((value, context): number => {
    const micros = parseTimestamp(word(value) ?? '')
    if (micros !== undefined) return micros
    context.addIssue(A_TIME)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'string',
    description: 'A time in ISO 8601. UTC if it has no time zone.',
    examples: ['2017-05-17T08:58:00.930572'],
  })

const CAMERA_SCHEMA = {
  type: 'string',
  format: 'uuid',
  description: 'The id of a camera, with or without hyphens.',
}

/** A UUID with or without hyphens, converted to 32 lower-case hexadecimal digits. */
export const cameraId = z
  .unknown()
  .transform((value, context): string => {
    const uuid = word(value) ?? ''
    if (isUuid(uuid)) return digitsOf(uuid)
    context.addIssue('the UUID of a camera')
    return z.NEVER
  })
  .register(openapiOverrides, CAMERA_SCHEMA)

const CAMERA_IDS = `at most ${LIMITS.camerasPerRequest} UUIDs of cameras`
const CAMERAS_SCHEMA = { type: 'array', items: CAMERA_SCHEMA, description: 'Ids of cameras.' }

/** Ids of cameras, in any list notation of readNames. */
export const cameraIds = nameList(LIMITS.camerasPerRequest, isUuid, CAMERA_IDS)
  .transform(uuids => uuids.map(digitsOf))
  .register(openapiOverrides, CAMERAS_SCHEMA)

/** The nil UUID, which no camera has. */
const NO_CAMERA = '0'.repeat(32)

const isNumber = (id: string): boolean => Number.isFinite(asNumber(id))

/** A filter of cameras. Numbers are ids that no camera has: the list matches what the others match. */
export const cameraFilter = nameList(
  LIMITS.camerasPerRequest,
  id => isUuid(id) || isNumber(id),
  CAMERA_IDS,
  readIds,
)
  .transform(ids => ids.map(id => (isUuid(id) ? digitsOf(id) : NO_CAMERA)))
  .register(openapiOverrides, CAMERAS_SCHEMA)

const A_JSON_VALUE = `JSON of at most ${LIMITS.detectorInfoBytes} bytes`

/** Any JSON value or its text, of at most LIMITS.detectorInfoBytes. */
export const json = z
  .unknown()
  .transform((value, context): unknown => {
    const parsed = typeof value === 'string' ? parseJsonText(value) : value
    if (parsed !== undefined && JSON.stringify(parsed).length <= LIMITS.detectorInfoBytes) return parsed
    context.addIssue(A_JSON_VALUE)
    return z.NEVER
  })
  .register(openapiOverrides, { description: 'Any JSON value, stored unchanged.' })
