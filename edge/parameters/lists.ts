/** Lists of names as callers write them -> arrays of texts. */
import { LIMITS } from '../../core/contract/limits.ts'
import { parseJsonText } from '../http/encodings/json.ts'

/**
 * A JSON array, its text, a repeated field, a text with commas, or a single name -> the names, without spaces around them.
 * Undefined when it is anything else, or too long to be split.
 */
export function readNames(value: unknown): string[] | undefined {
  const given = Array.isArray(value) ? value : [value]
  if (!given.every(element => typeof element === 'string')) return undefined
  if (given.reduce((sum, { length }) => sum + length, 0) > LIMITS.structureLength) return undefined
  const elements = given.flatMap(splitText)
  if (!elements.every(element => typeof element === 'string')) return undefined
  return elements.map(name => name.trim()).filter(name => name !== '')
}

/** The elements of a JSON array or of a text with commas. */
export function splitText(text: string): unknown[] {
  if (!text.trimStart().startsWith('[')) return text.split(',')
  const parsed = parseJsonText(text)
  return Array.isArray(parsed) ? parsed : [undefined]
}
