/** A row of a list: one photo with the fields that it is enrolled with. */
import { resolve, sep } from 'node:path'
import * as z from 'zod'
import { likelyName } from '../../contract/nearest-name.ts'
import { faceOperations } from '../../contract/operations/faces.ts'
import { timestampText } from '../../contract/timestamps.ts'

/** Names of the fields, which are the default names of CSV columns too. */
export const FIELDS = ['file', 'meta', 'galleries', 'camera', 'time', 'selector'] as const
export type Field = (typeof FIELDS)[number]

/** Fields as a list gives them. A missing or empty field has the value of the command's option. */
export type GivenFields = { readonly [F in Field]?: string | readonly string[] | undefined }

const { meta, galleries, cam_id, timestamp, mf_selector } = faceOperations.enrol.parameters.shape

/** Checks of the fields, as the service makes them. */
const RowFields = z.object({
  meta,
  galleries: galleries.transform(names => names.sort()),
  /** 32 lower-case hexadecimal digits. */
  camera: cam_id,
  /** UTC with six decimals. */
  time: timestamp.transform(micros => (micros === undefined ? undefined : timestampText(micros))),
  selector: mf_selector,
})

export interface Row extends z.output<typeof RowFields> {
  /** Name of the person. Absent: the service decides whose face it is. */
  person?: string
  /** Line of the list; undefined for a photo of a folder. */
  line?: number
  /** Absolute path of the photo. */
  path: string
  /** Name of the photo in the service and in reports: as in the list, or relative to the folder. Separator: "/". */
  name: string
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
  const name = String(given.file ?? '')
  if (name === '') return { problem: { ...place, reason: 'The row has no file.' } }
  const chosen = Object.fromEntries(
    FIELDS.map(field => [field, given[field] || field === 'file' ? given[field] : defaults[field]]),
  )
  const { data, error } = RowFields.safeParse({ ...chosen, galleries: namesIn(chosen.galleries) })
  if (data) return { row: { ...place, path: resolve(base, name), name: name.replaceAll(sep, '/'), ...data } }
  const { path, message } = error.issues[0]!
  const field = path[0] as Field
  const value = String(chosen[field] ?? '')
  const shown = JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value)
  return { problem: { ...place, name, reason: `${field}: expected ${message}, got ${shown}.` } }
}

/** Names of a list, or of a text with names between commas, semicolons, bars or spaces. */
const namesIn = (value: GivenFields[Field]) => (typeof value === 'string' ? value.split(/[\s,;|]+/) : value)

/** The sentence about a column, field or placeholder that a list may not have. `kind` is a noun. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const near = likelyName(name, known)
  const advice = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${near}?`
  return `There is no ${kind} ${JSON.stringify(name.slice(0, 60))}. ${advice}`
}
