/** Parses field names in the notation of PHP, Rails and HTTParty: `bbox[0][x1]` is `x1` of the first element of `bbox`. */
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'

export interface FieldName {
  /** The name of the parameter: the text before the first bracket. */
  root: string
  /** Content of each pair of brackets: a key, an index, or "" for the next element. */
  keys: string[]
}

/** A name with unbalanced brackets, or longer than REQUEST_LIMITS.parameterNameLength, is a root without keys. */
export function parseFieldName(name: string): FieldName {
  const plain = { root: name, keys: [] }
  const opening = name.indexOf('[')
  if (opening < 1 || !name.endsWith(']') || name.length > REQUEST_LIMITS.parameterNameLength) return plain
  const keys = name.slice(opening + 1, -1).split('][')
  return keys.some(key => /[[\]]/.test(key)) ? plain : { root: name.slice(0, opening), keys }
}
