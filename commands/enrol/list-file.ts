/** Reads lists of photos from files: CSV, whose first record names the columns, and JSON lines. */

import { dirname } from 'node:path'
import { pipeline } from 'node:stream'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import { countText } from '../../contract/counted.ts'
import { openRegular } from '../terminal/bounded-file.ts'
import { jsonIn } from '../terminal/command-line.ts'
import {
  type Entry,
  entryOf,
  FIELDS,
  type Field,
  type FieldDefaults,
  type GivenFields,
  unknownName,
} from './row.ts'

/** Longest line in bytes. A longer one is a file of another kind. */
export const LINE_BYTES = 2 ** 20

const LF = 0x0a

/** A line that cannot be read. */
export class LineError extends Error {
  override readonly name = 'LineError'
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a line, without a byte order mark. */
function lineText(bytes: Uint8Array, line: number) {
  if (bytes.length > LINE_BYTES) throw new LineError(line, `The line is longer than ${LINE_BYTES} bytes.`)
  try {
    const text = decoder.decode(bytes)
    return line === 1 && text.startsWith('\u{feff}') ? text.slice(1) : text
  } catch {
    // Older spreadsheets save in another encoding.
    throw new LineError(line, 'The text is not UTF-8. Save the list in UTF-8.')
  }
}

/** Yields the lines of a file, with CR where they have one. Throws LineError for a long line, and for a line that is not UTF-8. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let line = 1
  let rest: Uint8Array = new Uint8Array()
  const file = await openRegular(path)
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let at = rest.indexOf(LF); at >= 0; at = rest.indexOf(LF)) {
      yield lineText(rest.subarray(0, at), line++)
      rest = rest.subarray(at + 1)
    }
    if (rest.length > LINE_BYTES) lineText(rest, line)
  }
  if (rest.length > 0) yield lineText(rest, line)
}

export interface CsvSettings {
  /** One character. Default: comma. */
  delimiter?: string
  /** Names of columns that differ from the names of their fields. */
  columns?: { readonly [F in Field]?: string }
  /** Columns without meaning for the enrolment. */
  ignored?: readonly string[]
}

/**
 * Yields one entry per record behind the first. Throws LineError for text that is not UTF-8, for broken quotes, and for an
 * unknown, repeated or missing column. A line number counts the last line of a record.
 */
export async function* csvRows(
  path: string,
  defaults: FieldDefaults,
  settings: CsvSettings,
): AsyncGenerator<Entry> {
  const parser = parse({
    delimiter: settings.delimiter ?? ',',
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LINE_BYTES,
  })
  // The loop below receives an error of the pipeline, too.
  pipeline(decodeLines(path), parser, () => {})
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
async function* decodeLines(path: string): AsyncGenerator<string> {
  for await (const line of linesOf(path)) yield `${line}\n`
}

function csvEntry(
  record: readonly string[],
  columns: readonly (Field | undefined)[],
  place: Parameters<typeof entryOf>[1] & { line: number },
): Entry {
  if (record.length > columns.length) {
    const reason = `The row has ${record.length} values for ${countText(columns.length, 'column')}.`
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
  const columnOf = (field: Field) => columns[field] ?? field
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
  let line = 0
  for await (const text of linesOf(path)) {
    line++
    if (text.trim() === '') continue
    const fields = jsonFields(text)
    yield typeof fields === 'string'
      ? { problem: { line, reason: fields } }
      : entryOf(fields, { base: dirname(path), line, defaults })
  }
}

/** The fields of a row, or a sentence about a line that is none. */
function jsonFields(text: string): GivenFields | string {
  const document = jsonIn(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    return 'The line is no JSON object.'
  const fields: [string, string | string[]][] = []
  for (const [name, value] of Object.entries(document)) {
    if (!FIELDS.some(field => field === name)) return unknownName('field', name, FIELDS)
    const isList = Array.isArray(value) && value.every(each => typeof each === 'string')
    if (typeof value === 'string' || (name === 'galleries' && isList)) fields.push([name, value])
    else if (typeof value === 'number') fields.push([name, String(value)])
    else if (value !== null)
      return `${name}: expected a text${name === 'galleries' ? ' or a list of texts' : ''}.`
  }
  return Object.fromEntries(fields)
}
