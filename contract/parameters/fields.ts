/**
 * Schemas of the common kinds of parameters: convert a text, number, list or JSON value of any encoding to a typed value. The
 * message of an issue is a phrase that states the expected value.
 */
import * as z from 'zod'
import { FACE_LIMITS } from '../limits/faces.ts'
import { REQUEST_LIMITS } from '../limits/requests.ts'
import { parseTimestamp } from '../timestamps.ts'
import { DEFAULTS, openapiOverrides } from './json-schema.ts'
import { parsedText, parseJsonText } from './json-text.ts'

/** False for text with NUL or unpaired surrogates, which storage would change. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/** Maximum characters of a number, a word or a UUID. Bounds the cost of checks that scan the text repeatedly. */
const MAX_CHARACTERS = 64

/** A short text, trimmed, without the slash that some clients append to a query. Undefined for any other value. */
export function word(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined
  const trimmed = value.trim()
  return trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The value of a number or its decimal text; NaN for any other value. */
export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value
  const written = word(value)
  return written !== undefined && NUMBER.test(written) ? Number(written) : Number.NaN
}

/** 32 hexadecimal digits, with or without hyphens. */
export const isUuid = (value: string): boolean =>
  value.length <= MAX_CHARACTERS && /^[0-9a-f]{32}$/i.test(value.replaceAll('-', ''))

/** The 32 lower-case hexadecimal digits of a UUID. */
export const digitsOf = (uuid: string): string => uuid.toLowerCase().replaceAll('-', '')

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

/** A field that `read` converts. Where it gives undefined, the value is refused: `expected` is a phrase. */
export const field = <T>(read: (value: unknown) => T | undefined, expected: string) =>
  z.unknown().transform((value, context): T => {
    const known = read(value)
    if (known !== undefined) return known
    context.addIssue(expected)
    return z.NEVER
  })

/** One of these words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  field(value => words.find(known => known === word(value)), `one of ${words.join(', ')}`).register(
    openapiOverrides,
    { type: 'string', enum: words },
  )

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

/** A number in this range. */
export const numberFrom = (least: number, most: number) =>
  numberThat(value => value >= least && value <= most, `a number from ${least} to ${most}`).register(
    openapiOverrides,
    { type: 'number', minimum: least, maximum: most },
  )

/** A number from 0 to 1. */
export const fraction = numberFrom(0, 1)

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

/**
 * The trimmed names of a JSON array, JSON text, repeated field, comma-separated text or single name. Undefined for any other
 * value, and above REQUEST_LIMITS.structureLength characters in total.
 */
export function readNames(value: unknown): string[] | undefined {
  return readTexts(value, element => element)
}

/** Like readNames, for ids: numbers of a JSON array or of its text are ids, too. */
export function readIds(value: unknown): string[] | undefined {
  return readTexts(value, element => (typeof element === 'number' ? String(element) : element))
}

function readTexts(value: unknown, toText: (element: unknown) => unknown): string[] | undefined {
  const given = (Array.isArray(value) ? value : [value]).map(toText)
  if (!given.every(element => typeof element === 'string')) return undefined
  if (given.reduce((sum, { length }) => sum + length, 0) > REQUEST_LIMITS.structureLength) return undefined
  const elements = given.flatMap(splitText).map(toText)
  if (!elements.every(element => typeof element === 'string')) return undefined
  return elements.map(name => name.trim()).filter(name => name !== '')
}

/** The elements of a JSON array or of a comma-separated text. Invalid JSON gives one undefined element. */
export function splitText(text: string): unknown[] {
  if (!text.trimStart().startsWith('[')) return text.split(',')
  const parsed = parseJsonText(text)
  return Array.isArray(parsed) ? parsed : [undefined]
}

/** At most `most` valid names, in any list notation of readNames. */
export const nameList = (
  most: number,
  isName: (name: string) => boolean,
  expected: string,
  read: typeof readNames = readNames,
) =>
  field(value => {
    const names = read(value)
    return names && names.length <= most && names.every(isName) ? names : undefined
  }, expected)

/** ISO 8601 text, converted to microseconds since 1970. */
export const timestamp = field(
  value => parseTimestamp(word(value) ?? ''),
  'a time in ISO 8601, such as 2017-05-17T08:58:00',
).register(openapiOverrides, {
  type: 'string',
  description: 'A time in ISO 8601. UTC if it has no time zone.',
  examples: ['2017-05-17T08:58:00.930572'],
})

/** Any JSON value or its text, of at most FACE_LIMITS.detectorInfoBytes. */
export const json = field((value): unknown => {
  const parsed = parsedText(value)
  const isShort = parsed !== undefined && JSON.stringify(parsed).length <= FACE_LIMITS.detectorInfoBytes
  return isShort ? parsed : undefined
}, `JSON of at most ${FACE_LIMITS.detectorInfoBytes} bytes`).register(openapiOverrides, {
  description: 'Any JSON value, stored unchanged.',
})

/** A meta to search for. The empty meta selects faces without a meta. */
export const metaToFind = text(FACE_LIMITS.metaLength)

/** A meta whose faces are deleted. The empty meta is refused: a client with an unset variable would send it by mistake. */
export const metaToDelete = metaToFind.refine(
  meta => meta !== '',
  'a meta that is not empty; faces without a meta are deleted by their ids',
)

/** URL parsers remove these segments from a path, encoded or not: faces with these metas would have no URL. */
const DOT_SEGMENTS: readonly string[] = ['.', '..']

/** A meta to store. */
export const metaToStore = metaToFind.refine(
  meta => !DOT_SEGMENTS.includes(meta),
  'a meta other than "." and "..", which no URL can name',
)
