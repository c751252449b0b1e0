/** How each kind of parameter is read, whatever the encoding brought: text, number, list or JSON value -> typed value. */
import * as z from 'zod'
import { type Region, RegionSchema } from '../core/contract/camera.ts'
import { DEFAULT_GALLERY, type GalleryChange, GalleryName } from '../core/contract/gallery.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { SELECTORS } from '../core/contract/selector.ts'
import { DEFAULT_THRESHOLD, THRESHOLDS, type ThresholdName } from '../core/contract/thresholds.ts'
import { parseTimestamp } from '../core/contract/timestamps.ts'
import { parseBoxes } from './boxes.ts'
import { Upload } from './parameters.ts'
import { DEFAULTS, WRITTEN } from './written.ts'

/** null and "" mean "not given". */
const blankIsAbsent = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

/** A field that may be left out. */
export const optional = <T extends z.ZodType>(field: T) => z.preprocess(blankIsAbsent, field.optional())

/** A field that is taken for `value` when it is left out. */
export const withDefault = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field)
    .transform((given): z.output<T> => given ?? value)
    .register(DEFAULTS, { default: value })

const MISSING = 'This parameter is required.'

/** Text. Numbers and booleans of a JSON body are taken as they would be written. */
export const text = (longest: number) =>
  z
    .union([z.string(), z.number(), z.boolean()], 'This must be a text.')
    .transform(String)
    .refine(value => value.length <= longest, `At most ${longest} characters.`)
    .register(WRITTEN, { type: 'string', maxLength: longest })

/** A number, or the text of one. */
export const number = z
  .union(
    [z.number(), z.string().regex(/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i)],
    'This must be a number.',
  )
  .transform(Number)
  .refine(Number.isFinite, 'This must be a number.')
  .register(WRITTEN, { type: 'number' })

export const integer = (least: number, most: number) =>
  number
    .refine(
      value => Number.isInteger(value) && value >= least && value <= most,
      `This must be a whole number from ${least} to ${most}.`,
    )
    .register(WRITTEN, { type: 'integer', minimum: least, maximum: most })

const TRUE = new Set(['true', '1', 'yes'])
const FALSE = new Set(['false', '0', 'no'])

/** true, false, 1, 0, yes or no, in any case; or a JSON boolean. */
export const boolean = z
  .union([z.string(), z.number(), z.boolean()], 'This must be true or false.')
  .transform((value, context): boolean => {
    const word = String(value).trim().toLowerCase()
    if (TRUE.has(word)) return true
    if (FALSE.has(word)) return false
    context.addIssue('This must be true or false.')
    return z.NEVER
  })
  .register(WRITTEN, { type: 'boolean' })

/** Whether an answer tells how good the picture of each face is: a question of ours, in every version. */
export const quality = withDefault(
  boolean.meta({ description: 'Tell of each face how good its picture is.' }),
  false,
)

/** Names as a JSON array, its text, a repeated key, a comma string, or a single name. */
const nameList = z.unknown().transform((value, context): string[] => {
  const names = (Array.isArray(value) ? value : splitNames(value)).map(name =>
    typeof name === 'string' ? name.trim() : name,
  )
  if (names.every(name => typeof name === 'string')) return names.filter(name => name !== '')
  context.addIssue('This must be a list of names.')
  return z.NEVER
})

function splitNames(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value]
  if (!value.trimStart().startsWith('[')) return value.split(',')
  const parsed = parseJson(value)
  return Array.isArray(parsed) ? parsed : [undefined]
}

const galleryNames = nameList.pipe(z.array(GalleryName).max(LIMITS.galleriesPerRequest))

const WRITTEN_NAME = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,48}$' }
const WRITTEN_NAMES = { type: 'array', items: WRITTEN_NAME, maxItems: LIMITS.galleriesPerRequest }

/** Gallery names without repeats; `default` is implied and left out. */
export const galleries = galleryNames
  .transform(names => [...new Set(names)].filter(name => name !== DEFAULT_GALLERY))
  .register(WRITTEN, { ...WRITTEN_NAMES, description: 'Names of galleries.' })

const GALLERY_CHANGES = ['add', 'del', 'set'] as const

/** `{"add": [...]}`, or `del` or `set`, as JSON or its text; the names in any spelling of a list. */
export const galleryChange = z
  .unknown()
  .transform((value, context): GalleryChange => {
    const given = typeof value === 'string' ? parseJson(value) : value
    const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
    const [[key, list] = []] = entries
    const kind = GALLERY_CHANGES.find(known => known === key)
    const names = galleryNames.safeParse(list)
    if (entries.length === 1 && kind && names.success) return { kind, names: names.data }
    context.addIssue(
      names.error?.issues[0]?.code === 'invalid_format'
        ? names.error.issues[0].message
        : 'This must be {"add": [names]}, {"del": [names]} or {"set": [names]}: one of them, and one only.',
    )
    return z.NEVER
  })
  .register(WRITTEN, {
    type: 'object',
    properties: { add: WRITTEN_NAMES, del: WRITTEN_NAMES, set: WRITTEN_NAMES },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    description: 'Galleries that the face comes into, leaves, or is in from now on: one of the three.',
    examples: [{ add: ['staff'] }],
  })

export const gallery = text(LIMITS.metaLength)
  .pipe(GalleryName)
  .register(WRITTEN, { ...WRITTEN_NAME, description: 'The name of a gallery.' })

const corner = { type: 'number' }
const WRITTEN_BOX = {
  type: 'object',
  properties: { x1: corner, y1: corner, x2: corner, y2: corner },
  required: ['x1', 'y1', 'x2', 'y2'],
}

/** After how many days the service deletes faces by itself; 0 for never. */
export const retentionDays = integer(0, LIMITS.retentionDays).register(WRITTEN, {
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
  .register(WRITTEN, {
    type: 'array',
    items: WRITTEN_BOX,
    maxItems: LIMITS.boxes,
    description: `Where the faces are, in the upright photo's pixels; at least ${LIMITS.faceSide} x ${LIMITS.faceSide} of them.`,
    examples: [[{ x1: 10, y1: 20, x2: 110, y2: 140 }]],
  })

/** The confidence that counts as a match, 0..1; `none` when only similarity is asked for. */
export const threshold = withDefault(
  z
    .union([z.string(), z.number()], 'This must be strict, medium, low, none or a number from 0 to 1.')
    .transform((value, context): number | 'none' => {
      if (value === 'none') return 'none'
      if (Object.hasOwn(THRESHOLDS, value)) return THRESHOLDS[value as ThresholdName]
      const parsed = number.safeParse(value)
      if (parsed.success && parsed.data >= 0 && parsed.data <= 1) return parsed.data
      context.addIssue('This must be strict, medium, low, none or a number from 0 to 1.')
      return z.NEVER
    })
    .register(WRITTEN, {
      anyOf: [
        { type: 'number', minimum: 0, maximum: 1 },
        { type: 'string', enum: Object.keys(THRESHOLDS) },
      ],
      description: 'The confidence that counts as a match: a number or a name.',
    }),
  DEFAULT_THRESHOLD,
)

export const selector = withDefault(
  z.enum(SELECTORS, `This must be one of ${SELECTORS.join(', ')}.`).meta({
    description: 'Which of several faces is meant; with `reject` several are refused.',
  }),
  'biggest',
)

/** An uploaded photo or the URL of one. */
export const photo = z
  .unknown()
  .transform((value, context): Upload | string => {
    if (value instanceof Upload) return value
    if (value === undefined || value === null || value === '') context.addIssue(MISSING)
    else if (typeof value !== 'string')
      context.addIssue('This must be an uploaded file or a URL, and one only.')
    else if (!URL.canParse(value))
      context.addIssue('This is not a URL. Upload the photo as a multipart file, or name its URL.')
    else if (value.length > LIMITS.photoNameLength)
      context.addIssue(`At most ${LIMITS.photoNameLength} characters.`)
    else return value
    return z.NEVER
  })
  .register(WRITTEN, {
    type: 'string',
    format: 'uri',
    maxLength: LIMITS.photoNameLength,
    upload: true,
    description: 'A photo: its public URL, or in a multipart body the file itself.',
  })

/** ISO 8601 text -> microseconds since 1970. */
export const timestamp = text(64)
  .transform((value, context): number => {
    const micros = parseTimestamp(value)
    if (micros !== undefined) return micros
    context.addIssue('This must be a time in ISO 8601.')
    return z.NEVER
  })
  .register(WRITTEN, {
    type: 'string',
    description: 'A time in ISO 8601; UTC when it names no zone.',
    examples: ['2017-05-17T08:58:00.930572'],
  })

const WRITTEN_CAMERA = {
  type: 'string',
  format: 'uuid',
  description: 'The id of a camera, with or without hyphens.',
}

const uuid = z
  .string()
  .transform(value => value.trim().toLowerCase().replaceAll('-', ''))
  .refine(value => /^[0-9a-f]{32}$/.test(value), 'This must be a UUID.')

/** A UUID with or without hyphens -> 32 lower-case hexadecimal digits. */
export const cameraId = text(64).pipe(uuid).register(WRITTEN, WRITTEN_CAMERA)

/** Ids of cameras, in any spelling of a list. */
export const cameraIds = nameList
  .pipe(z.array(uuid).max(LIMITS.camerasPerRequest))
  .register(WRITTEN, { type: 'array', items: WRITTEN_CAMERA, description: 'Ids of cameras.' })

const REGION = 'This must be four whole numbers: [width, height, x, y], the first two above 0.'

/** `[W, H, X, Y]` as a JSON array, its text, a repeated key or a comma string. An empty one is not set. */
export const region = z
  .unknown()
  .transform((value, context): Region | undefined => {
    const list = Array.isArray(value) ? value : splitNames(value)
    if (list.length === 0) return undefined
    const numbers = z.array(integer(0, LIMITS.regionSide)).safeParse(list)
    const parsed = RegionSchema.safeParse(numbers.data)
    if (parsed.success) return parsed.data
    context.addIssue(REGION)
    return z.NEVER
  })
  .register(WRITTEN, {
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: LIMITS.regionSide },
    minItems: 4,
    maxItems: 4,
    description: '`[width, height, x, y]` in pixels.',
    examples: [[640, 480, 0, 0]],
  })

/** Any JSON value, or the text of one, of a bounded size. */
export const json = z
  .unknown()
  .transform((value, context): unknown => {
    const parsed = typeof value === 'string' ? parseJson(value) : value
    if (parsed !== undefined && JSON.stringify(parsed).length <= LIMITS.detectorInfoBytes) return parsed
    context.addIssue(`This must be JSON of at most ${LIMITS.detectorInfoBytes} bytes.`)
    return z.NEVER
  })
  .register(WRITTEN, { description: 'Any JSON, kept as it is.' })

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
