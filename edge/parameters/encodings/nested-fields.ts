/** Nested field names in the notation of PHP, Rails and HTTParty, and the lists and objects that they make. */
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'

export interface FieldName {
  /** The name of the parameter: the text before the first bracket. */
  root: string
  /** Content of each pair of brackets: a key, an index, or "" for the next element. */
  keys: string[]
}

/**
 * Parses a name: `bbox[0][x1]` is `x1` of the first element of `bbox`. A name with unbalanced brackets, or longer than
 * REQUEST_LIMITS.parameterNameLength, is a root without keys.
 */
export function parseFieldName(name: string): FieldName {
  const plain = { root: name, keys: [] }
  const opening = name.indexOf('[')
  if (opening < 1 || !name.endsWith(']') || name.length > REQUEST_LIMITS.parameterNameLength) return plain
  const keys = name.slice(opening + 1, -1).split('][')
  return keys.some(key => /[[\]]/.test(key)) ? plain : { root: name.slice(0, opening), keys }
}

export interface Branch {
  /** In order of arrival. */
  children: Map<string, Node>
  /** Index of the next `[]`. */
  next: number
}

type Node = Branch | { leaf: unknown[] }

export const branch = (): Branch => ({ children: new Map(), next: 0 })

/** Stores a value under at least one key. Values of one name make a list. False when another structure has these keys. */
export function place(at: Branch, keys: readonly string[], value: unknown): boolean {
  const [first = '', ...rest] = keys
  const key = first === '' ? indexFor(at, rest) : first
  if (INDEX.test(key)) at.next = Math.max(at.next, Number(key) + 1)
  const child = at.children.get(key)
  if (rest.length === 0) {
    const values = child ?? { leaf: [] }
    if (!('leaf' in values)) return false
    values.leaf.push(value)
    at.children.set(key, values)
    return true
  }
  const deeper = child ?? branch()
  if ('leaf' in deeper) return false
  at.children.set(key, deeper)
  return place(deeper, rest, value)
}

const INDEX = /^\d{1,9}$/

/** `[]` selects the last element if the rest of the name is still free there, and a new element otherwise. */
function indexFor(at: Branch, rest: readonly string[]) {
  const last = at.children.get(String(at.next - 1))
  const continues = rest.length > 0 && last !== undefined && 'children' in last && !has(last, rest)
  return String(continues ? at.next - 1 : at.next)
}

/** True when these keys have a value. A list always accepts another element. */
function has(at: Node, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined || 'leaf' in at) return true
  const child = at.children.get(key)
  return key !== '' && child !== undefined && has(child, rest)
}

/** The value of a node. A branch with only indexes as keys becomes a list, sorted by index; any other becomes an object. */
export function valueOfNode(node: Node): unknown {
  if ('leaf' in node) return node.leaf.length > 1 ? node.leaf : node.leaf[0]
  const entries = [...node.children]
  if (!entries.every(([key]) => INDEX.test(key)))
    return Object.fromEntries(entries.map(([key, child]) => [key, valueOfNode(child)]))
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => valueOfNode(child))
}
