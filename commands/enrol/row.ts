/** A row of a list: one photo with the fields that it is enrolled with. */
import { resolve, sep } from 'node:path'
import { LIMITS } from '../../contract/limits.ts'
import { DEFAULT_GALLERY, GalleryName } from '../../contract/model/gallery.ts'
import { SELECTORS } from '../../contract/model/selector.ts'
import { likelyName } from '../../contract/nearest-name.ts'
import { parseTimestamp, timestampText } from '../../contract/timestamps.ts'

/** Names of the fields, which are the default names of CSV columns too. */
export const FIELDS = ['file', 'meta', 'galleries', 'camera', 'time', 'selector'] as const
export type Field = (typeof FIELDS)[number]

/** Fields as a list gives them. A missing or empty field has the value of the command's option. */
export type GivenFields = { readonly [F in Field]?: string | readonly string[] | undefined }

export type Selector = (typeof SELECTORS)[number]

export interface Row {
  /** Line of the list; undefined for a photo of a folder. */
  line?: number
  /** Absolute path of the photo. */
  path: string
  /** Name of the photo in the service and in reports: as in the list, or relative to the folder. Separator: "/". */
  name: string
  meta: string
  /** Sorted, distinct, without `default`. */
  galleries: string[]
  /** 32 lower-case hexadecimal digits. */
  camera?: string
  /** UTC with six decimals. */
  time?: string
  selector: Selector
}

/** A row that cannot be enrolled. */
export interface Problem {
  line?: number
  /** Name of the photo, if the row has one. */
  name?: string
  /** A sentence. */
  reason: string
}

export type Entry = { row: Row; problem?: never } | { problem: Problem; row?: never }

/** Values for fields that a row leaves out. */
export type FieldDefaults = Omit<GivenFields, 'file'>

/** Checks the fields of one row. `base` is the folder that relative files refer to. */
export function entryOf(
  given: GivenFields,
  { base, line, defaults }: { base: string; line?: number; defaults: FieldDefaults },
): Entry {
  const place = line === undefined ? {} : { line }
  const name = textOf(given.file)
  if (name === '') return { problem: { ...place, reason: 'The row has no file.' } }
  const chosen = (field: Exclude<Field, 'file'>) => (isGiven(given[field]) ? given[field] : defaults[field])
  try {
    return {
      row: {
        ...place,
        path: resolve(base, name),
        name: name.replaceAll(sep, '/'),
        meta: metaOf(textOf(chosen('meta'))),
        galleries: galleriesOf(chosen('galleries')),
        ...omitEmpty('camera', cameraOf(textOf(chosen('camera')))),
        ...omitEmpty('time', timeOf(textOf(chosen('time')))),
        selector: selectorOf(textOf(chosen('selector'))),
      },
    }
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    return { problem: { ...place, name, reason: error.message } }
  }
}

/** A field with an invalid value. The message is a sentence. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

const isGiven = (value: string | readonly string[] | undefined): boolean =>
  typeof value === 'string' ? value !== '' : value !== undefined

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value ?? []).join(',')

const omitEmpty = <Name extends string>(name: Name, value: string): { [N in Name]?: string } =>
  (value === '' ? {} : { [name]: value }) as { [N in Name]?: string }

/** NUL, which the service does not store. */
const NUL = '\0'

function metaOf(text: string): string {
  const isStorable = text.isWellFormed() && !text.includes(NUL) && text.length <= LIMITS.metaLength
  if (isStorable && text !== '.' && text !== '..') return text
  throw new FieldError(
    `meta: expected a text of at most ${LIMITS.metaLength} characters, without NUL, other than "." and "..".`,
  )
}

/** Names, or a text with names between commas, semicolons, bars or spaces. */
function galleriesOf(value: string | readonly string[] | undefined): string[] {
  const names = typeof value === 'string' ? value.split(/[\s,;|]+/).filter(Boolean) : (value ?? [])
  const wrong = names.find(name => !GalleryName.safeParse(name).success)
  if (wrong !== undefined)
    throw new FieldError(
      `galleries: expected names of 1 to 48 of the characters a-z, A-Z, 0-9, _ and -, got ${quoted(wrong)}.`,
    )
  if (names.length > LIMITS.galleriesPerRequest)
    throw new FieldError(`galleries: expected at most ${LIMITS.galleriesPerRequest} names.`)
  return [...new Set(names)].filter(name => name !== DEFAULT_GALLERY).sort()
}

function cameraOf(text: string): string {
  const id = text.replaceAll('-', '').toLowerCase()
  if (text === '' || /^[0-9a-f]{32}$/.test(id)) return id
  throw new FieldError(`camera: expected the UUID of a camera, got ${quoted(text)}.`)
}

function timeOf(text: string): string {
  if (text === '') return ''
  const micros = parseTimestamp(text)
  if (micros !== undefined && Number.isSafeInteger(micros)) return timestampText(micros)
  throw new FieldError(`time: expected ISO 8601 such as 2026-11-22T10:01:34Z, got ${quoted(text)}.`)
}

function selectorOf(text: string): Selector {
  const selector = SELECTORS.find(known => known === (text || 'biggest'))
  if (selector) return selector
  throw new FieldError(`selector: expected one of ${SELECTORS.join(', ')}, got ${quoted(text)}.`)
}

const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)

/** The sentence about a column, field or placeholder that a list may not have. `kind` is a noun. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const near = likelyName(name, known)
  const advice = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${near}?`
  return `There is no ${kind} ${JSON.stringify(name.slice(0, 60))}. ${advice}`
}
