/**
 * How each kind of parameter is read, whatever the encoding brought: text, number, list or JSON value -> typed value.
 * The message of an issue is a phrase that says what was expected.
 */
import * as z from 'zod'
import { LIMITS } from '../../core/contract/limits.ts'
import { DEFAULT_GALLERY, GalleryName } from '../../core/contract/model/gallery.ts'
import { SELECTORS } from '../../core/contract/model/selector.ts'
import { DEFAULT_THRESHOLD, THRESHOLDS, type ThresholdName } from '../../core/contract/model/thresholds.ts'
import { parseTimestamp } from '../../core/contract/timestamps.ts'
import { parseJsonText } from '../http/encodings/json.ts'
import { Upload } from '../http/encodings/upload.ts'
import { DEFAULTS, openapiOverrides } from '../openapi/overrides.ts'
import { parseBoxes } from './boxes.ts'
import { readNames } from './lists.ts'
import { asNumber, digitsOf, isPhotoUrl, isStorable, isUuid, word } from './scalars.ts'

/** null and "" mean "not given". */
const blankIsAbsent = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

/** A field that may be left out. */
export const optional = <T extends z.ZodType>(field: T) => z.preprocess(blankIsAbsent, field.optional())

/** A field that is taken for `value` when it is left out. */
export const withDefault = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field)
    .transform((given): z.output<T> => given ?? value)
    .register(DEFAULTS, { default: value })

/** Text. Numbers and booleans of a JSON body are taken as they would be written. */
export const text = (longest: number) => {
  const expected = `a text of at most ${longest} characters, in Unicode and without NUL`
  return z
    .union([z.string(), z.number(), z.boolean()], expected)
    .transform(String)
    .refine(value => value.length <= longest && isStorable(value), expected)
    .register(openapiOverrides, { type: 'string', maxLength: longest })
}

/** A number, or the text of one, that passes a check. */
const numberThat = (isFitting: (value: number) => boolean, expected: string) =>
  z.union([z.number(), z.string()], expected).transform((value, context): number => {
    const parsed = asNumber(value)
    if (Number.isFinite(parsed) && isFitting(parsed)) return parsed
    context.addIssue(expected)
    return z.NEVER
  })

/** A number, or the text of one. */
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

/** true, false, 1, 0, yes, no, on or off, in any case; or a JSON boolean. */
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

/** Names that a pattern accepts, up to a number of them, in any spelling of a list. */
const nameList = (most: number, isName: (name: string) => boolean, expected: string) =>
  z.unknown().transform((value, context): string[] => {
    const names = readNames(value)
    if (names && names.length <= most && names.every(isName)) return names
    context.addIssue(expected)
    return z.NEVER
  })

const isGalleryName = (name: string): boolean => GalleryName.safeParse(name).success
const A_NAME = '1 to 48 of the characters a-z, A-Z, 0-9, _ and -'
export const GALLERY_NAMES = `at most ${LIMITS.galleriesPerRequest} gallery names, each of ${A_NAME}`

export const galleryNames = nameList(LIMITS.galleriesPerRequest, isGalleryName, GALLERY_NAMES)

const WRITTEN_NAME = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,48}$' }
export const WRITTEN_NAMES = { type: 'array', items: WRITTEN_NAME, maxItems: LIMITS.galleriesPerRequest }

/** Gallery names without repeats; `default` is implied and left out. */
export const galleries = galleryNames
  .transform(names => [...new Set(names)].filter(name => name !== DEFAULT_GALLERY))
  .register(openapiOverrides, { ...WRITTEN_NAMES, description: 'Names of galleries.' })

export const gallery = z
  .unknown()
  .transform((value, context): string => {
    const name = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    if (typeof name === 'string' && isGalleryName(name)) return name
    context.addIssue(`a gallery name of ${A_NAME}`)
    return z.NEVER
  })
  .register(openapiOverrides, { ...WRITTEN_NAME, description: 'The name of a gallery.' })

const corner = { type: 'number' }
const WRITTEN_BOX = {
  type: 'object',
  properties: { x1: corner, y1: corner, x2: corner, y2: corner },
  required: ['x1', 'y1', 'x2', 'y2'],
}

/** After how many days the service deletes faces by itself; 0 for never. */
export const retentionDays = integer(0, LIMITS.retentionDays).register(openapiOverrides, {
  type: 'integer',
  minimum: 0,
  maximum: LIMITS.retentionDays,
  description:
    'Days after which the service deletes faces by itself, counted from their enrolment; 0 for never.',
})

/** Boxes of faces, see boxes.ts. An empty list means "not given". */
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
    items: WRITTEN_BOX,
    maxItems: LIMITS.boxes,
    description: `Where the faces are, in the upright photo's pixels; at least ${LIMITS.faceSide} x ${LIMITS.faceSide} of them.`,
    examples: [[{ x1: 10, y1: 20, x2: 110, y2: 140 }]],
  })

const A_THRESHOLD = 'strict, medium, low, none or a number from 0 to 1'

/** The confidence that counts as a match, 0..1; `none` when only similarity is asked for. */
export const threshold = withDefault(
  z
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
      description: 'The confidence that counts as a match: a number or a name.',
    }),
  DEFAULT_THRESHOLD,
)

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
      description: 'Which of several faces is meant; with `reject` several are refused.',
    }),
  'biggest',
)

const A_PHOTO = `one photo: a multipart file, its URL of at most ${LIMITS.photoNameLength} characters, or a data: URL`

/** An uploaded photo or the URL of one. A data: URL is an upload already when it comes here. */
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
    description: 'A photo: its public URL, or in a multipart body the file itself.',
  })

const A_TIME = 'a time in ISO 8601, such as 2017-05-17T08:58:00'

/** ISO 8601 text -> microseconds since 1970. */
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
    description: 'A time in ISO 8601; UTC when it names no zone.',
    examples: ['2017-05-17T08:58:00.930572'],
  })

const WRITTEN_CAMERA = {
  type: 'string',
  format: 'uuid',
  description: 'The id of a camera, with or without hyphens.',
}

/** A UUID with or without hyphens -> 32 lower-case hexadecimal digits. */
export const cameraId = z
  .unknown()
  .transform((value, context): string => {
    const uuid = word(value) ?? ''
    if (isUuid(uuid)) return digitsOf(uuid)
    context.addIssue('the UUID of a camera')
    return z.NEVER
  })
  .register(openapiOverrides, WRITTEN_CAMERA)

/** Ids of cameras, in any spelling of a list. */
export const cameraIds = nameList(
  LIMITS.camerasPerRequest,
  isUuid,
  `at most ${LIMITS.camerasPerRequest} UUIDs of cameras`,
)
  .transform(uuids => uuids.map(digitsOf))
  .register(openapiOverrides, { type: 'array', items: WRITTEN_CAMERA, description: 'Ids of cameras.' })

const SOME_JSON = `JSON of at most ${LIMITS.detectorInfoBytes} bytes`

/** Any JSON value, or the text of one, of a bounded size. */
export const json = z
  .unknown()
  .transform((value, context): unknown => {
    const parsed = typeof value === 'string' ? parseJsonText(value) : value
    if (parsed !== undefined && JSON.stringify(parsed).length <= LIMITS.detectorInfoBytes) return parsed
    context.addIssue(SOME_JSON)
    return z.NEVER
  })
  .register(openapiOverrides, { description: 'Any JSON, kept as it is.' })
