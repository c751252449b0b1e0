/** Reads lists of photos from files: CSV, of which the first record names the columns, and JSON lines. */
import { dirname } from 'node:path'
import { pipeline } from 'node:stream'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import { LINE_BYTES, LineError, linesOf, lineText } from './lines.ts'
import {
  type Entry,
  entryOf,
  FIELDS,
  type Field,
  type FieldDefaults,
  type GivenFields,
  unknownName,
} from './row.ts'

export interface CsvSettings {
  /** One character. Default: comma. */
  delimiter?: string | undefined
  /** Names of columns that differ from the names of their fields. */
  columns?: { readonly [F in Field]?: string } | undefined
  /** Columns without meaning for the enrolment. */
  ignored?: readonly string[] | undefined
}

/**
 * Yields one entry per record behind the first. Throws LineError for text that is not UTF-8, for broken quotes, and for an
 * unknown, repeated or missing column. Line numbers are those of the last line of a record.
 */
export async function* csvRows(
  path: string,
  defaults: FieldDefaults,
  settings: CsvSettings = {},
): AsyncGenerator<Entry> {
  const parser = parse({
    delimiter: settings.delimiter ?? ',',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LINE_BYTES,
  })
  // The loop below receives an error of the pipeline, too.
  pipeline(decoded(path), parser, () => {})
  let columns: readonly (Field | undefined)[] | undefined
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      line = info.lines
      if (columns) yield csvEntry(record, columns, { base: dirname(path), line, defaults })
      else columns = columnsOf(record, line, settings)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const at = typeof error.lines === 'number' ? error.lines : line
    throw new LineError(at, `The CSV is broken: ${error.message}`)
  }
}

/** The parser itself would replace invalid bytes. */
async function* decoded(path: string): AsyncGenerator<string> {
  for await (const line of linesOf(path)) yield lineText(line) + (line.isEnded ? '\n' : '')
}

function csvEntry(
  record: readonly string[],
  columns: readonly (Field | undefined)[],
  place: Parameters<typeof entryOf>[1] & { line: number },
): Entry {
  if (record.length > columns.length) {
    const reason = `The row has ${record.length} values for ${columns.length} columns.`
    return { problem: { line: place.line, reason } }
  }
  const fields = columns.flatMap((field, i) => (field === undefined ? [] : [[field, record[i]?.trim()]]))
  return entryOf(Object.fromEntries(fields), place)
}

/** The field of each column; undefined for an ignored one. */
function columnsOf(
  names: readonly string[],
  line: number,
  { columns = {}, ignored = [] }: CsvSettings,
): (Field | undefined)[] {
  const columnOf = (field: Field): string => columns[field] ?? field
  const found = names.map(name => {
    const trimmed = name.trim()
    const field = FIELDS.find(each => columnOf(each) === trimmed)
    if (field === undefined && !ignored.includes(trimmed))
      throw new LineError(line, unknownName('column', trimmed, FIELDS.map(columnOf)))
    return field
  })
  const twice = FIELDS.find(field => found.indexOf(field) !== found.lastIndexOf(field))
  if (twice) throw new LineError(line, `The column ${columnOf(twice)} comes twice.`)
  const renamed = FIELDS.filter(field => columns[field] !== undefined)
  const missing = ['file' as const, ...renamed].find(field => !found.includes(field))
  if (missing) throw new LineError(line, `The column ${columnOf(missing)} is missing.`)
  return found
}

/** Yields one entry per line that is not blank: one object per line, with the fields of a row. Throws LineError like `csvRows`. */
export async function* jsonLinesRows(path: string, defaults: FieldDefaults): AsyncGenerator<Entry> {
  for await (const read of linesOf(path)) {
    const text = lineText(read)
    if (text.trim() === '') continue
    const place = { base: dirname(path), line: read.number, defaults }
    try {
      yield entryOf(jsonFields(text), place)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      yield { problem: { line: read.number, reason: error.message } }
    }
  }
}

/** A line that is no row. The message is a sentence. */
class FieldError extends Error {}

function jsonFields(text: string): GivenFields {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    document = undefined
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new FieldError('The line is no JSON object.')
  const fields = Object.entries(document).map(([name, value]) => {
    if (!FIELDS.some(field => field === name)) throw new FieldError(unknownName('field', name, FIELDS))
    return [name, jsonField(name, value)] as const
  })
  return Object.fromEntries(fields)
}

function jsonField(name: string, value: unknown): string | string[] | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  const isList = Array.isArray(value) && value.every(each => typeof each === 'string')
  if (name === 'galleries' && isList) return value
  throw new FieldError(`${name}: expected a text${name === 'galleries' ? ' or a list of texts' : ''}.`)
}
