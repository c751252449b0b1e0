/** Reads a list in CSV. The first record names the columns. */
import { dirname } from 'node:path'
import { pipeline } from 'node:stream'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import { LINE_BYTES, LineError, linesOf, lineText } from './lines.ts'
import { type Entry, entryOf, FIELDS, type Field, type FieldDefaults } from './row.ts'
import { unknownName } from './unknown-name.ts'

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
 * unknown, repeated or missing column. Line numbers are those of the last line of a record.
 */
export async function* csvRows(
  path: string,
  defaults: FieldDefaults,
  settings: CsvSettings = {},
): AsyncGenerator<Entry> {
  let columns: readonly (Field | undefined)[] | undefined
  for await (const { record, line } of records(path, settings.delimiter ?? ',')) {
    if (!columns) {
      columns = columnsOf(record, line, settings)
      continue
    }
    if (record.length > columns.length) {
      const reason = `The row has ${record.length} values for ${columns.length} columns.`
      yield { problem: { line, reason } }
      continue
    }
    const fields = Object.fromEntries(
      columns.flatMap((field, i) => (field === undefined ? [] : [[field, record[i]?.trim()]])),
    )
    yield entryOf(fields, { base: dirname(path), line, defaults })
  }
}

interface Record {
  record: string[]
  line: number
}

async function* records(path: string, delimiter: string): AsyncGenerator<Record> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LINE_BYTES,
  })
  // The loop below receives an error of the pipeline, too.
  pipeline(decoded(path), parser, () => {})
  let line = 1
  try {
    for await (const each of parser as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      line = each.info.lines
      yield { record: each.record, line }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new LineError(
      typeof error.lines === 'number' ? error.lines : line,
      `The CSV is broken: ${error.message}`,
    )
  }
}

/** The parser itself would replace invalid bytes. */
async function* decoded(path: string): AsyncGenerator<string> {
  for await (const line of linesOf(path)) yield lineText(line) + (line.isEnded ? '\n' : '')
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
