/** How each kind of parameter is read, whatever the encoding brought: text, number, list or JSON value -> typed value. */
import * as z from 'zod'
import { DEFAULT_GALLERY, GalleryName } from '../core/contract/gallery.ts'
import { LIMITS } from '../core/contract/limits.ts'
import { SELECTORS } from '../core/contract/selector.ts'
import { DEFAULT_THRESHOLD, THRESHOLDS, type ThresholdName } from '../core/contract/thresholds.ts'
import { parseTimestamp } from '../core/contract/timestamps.ts'
import { parseBoxes } from './boxes.ts'
import { Upload } from './parameters.ts'

/** null and "" mean "not given". */
const blankIsAbsent = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

/** A field that may be left out. */
export const optional = <T extends z.ZodType>(field: T) => z.preprocess(blankIsAbsent, field.optional())

/** A field that is taken for `value` when it is left out. */
export const withDefault = <T extends z.ZodType>(field: T, value: z.output<T>) =>
  optional(field).transform((given): z.output<T> => given ?? value)

const MISSING = 'This parameter is required.'

/** Text. Numbers and booleans of a JSON body are taken as they would be written. */
export const text = (longest: number) =>
  z
    .union([z.string(), z.number(), z.boolean()], 'This must be a text.')
    .transform(String)
    .refine(value => value.length <= longest, `At most ${longest} characters.`)

/** A number, or the text of one. */
export const number = z
  .union(
    [z.number(), z.string().regex(/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i)],
    'This must be a number.',
  )
  .transform(Number)
  .refine(Number.isFinite, 'This must be a number.')

export const integer = (least: number, most: number) =>
  number.refine(
    value => Number.isInteger(value) && value >= least && value <= most,
    `This must be a whole number from ${least} to ${most}.`,
  )

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

/** Gallery names without repeats; `default` is implied and left out. */
export const galleries = nameList
  .pipe(z.array(GalleryName).max(LIMITS.galleriesPerRequest))
  .transform(names => [...new Set(names)].filter(name => name !== DEFAULT_GALLERY))

export const gallery = text(LIMITS.metaLength).pipe(GalleryName)

/** Boxes of faces, see boxes.ts. An empty list means "not given". */
export const boxes = z.unknown().transform((value, context) => {
  const parsed = parseBoxes(value)
  if (typeof parsed !== 'string') return parsed
  context.addIssue(parsed)
  return z.NEVER
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
    }),
  DEFAULT_THRESHOLD,
)

export const selector = withDefault(
  z.enum(SELECTORS, `This must be one of ${SELECTORS.join(', ')}.`),
  'biggest',
)

/** An uploaded photo or the URL of one. */
export const photo = z.unknown().transform((value, context): Upload | string => {
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

/** ISO 8601 text -> microseconds since 1970. */
export const timestamp = text(64).transform((value, context): number => {
  const micros = parseTimestamp(value)
  if (micros !== undefined) return micros
  context.addIssue('This must be a time in ISO 8601.')
  return z.NEVER
})

/** A UUID with or without hyphens -> 32 lower-case hexadecimal digits. */
export const cameraId = text(64)
  .transform(value => value.trim().toLowerCase().replaceAll('-', ''))
  .refine(value => /^[0-9a-f]{32}$/.test(value), 'This must be a UUID.')

/** Any JSON value, or the text of one, of a bounded size. */
export const json = z.unknown().transform((value, context): unknown => {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (parsed !== undefined && JSON.stringify(parsed).length <= LIMITS.detectorInfoBytes) return parsed
  context.addIssue(`This must be JSON of at most ${LIMITS.detectorInfoBytes} bytes.`)
  return z.NEVER
})

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
