/** Parses lists of names to arrays of texts. */
import { LIMITS } from '../../contract/limits.ts'
import { parseJsonText } from '../http/encodings/json.ts'

/**
 * The trimmed names of a JSON array, JSON text, repeated field, comma-separated text or single name. Undefined for any other
 * value, and above LIMITS.structureLength characters in total.
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
  if (given.reduce((sum, { length }) => sum + length, 0) > LIMITS.structureLength) return undefined
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
