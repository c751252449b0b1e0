/** Reads a list in JSON lines: one object per line, with the fields of a row. */
import { dirname } from 'node:path'
import { linesOf, lineText } from './lines.ts'
import { type Entry, entryOf, FIELDS, type FieldDefaults, FieldError, type GivenFields } from './row.ts'
import { unknownName } from './unknown-name.ts'

/** Yields one entry per line that is not blank. Throws LineError for a file that is not text. */
export async function* jsonLinesRows(path: string, defaults: FieldDefaults): AsyncGenerator<Entry> {
  for await (const read of linesOf(path)) {
    const text = lineText(read)
    const line = read.number
    if (text.trim() === '') continue
    try {
      yield entryOf(fieldsOf(text), { base: dirname(path), line, defaults })
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      yield { problem: { line, reason: error.message } }
    }
  }
}

function fieldsOf(text: string): GivenFields {
  const document = parsed(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new FieldError('The line is no JSON object.')
  const fields = Object.entries(document).map(([name, value]) => {
    if (!FIELDS.some(field => field === name)) throw new FieldError(unknownName('field', name, FIELDS))
    return [name, fieldOf(name, value)] as const
  })
  return Object.fromEntries(fields)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FieldError('The line is no JSON object.')
  }
}

function fieldOf(name: string, value: unknown): string | string[] | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  const isList = Array.isArray(value) && value.every(each => typeof each === 'string')
  if (name === 'galleries' && isList) return value
  throw new FieldError(`${name}: expected a text${name === 'galleries' ? ' or a list of texts' : ''}.`)
}
