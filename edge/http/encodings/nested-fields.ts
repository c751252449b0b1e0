/** Values under nested names -> lists and objects, by the rules of Rack: `a[][x]` continues an element that has no `x` yet. */

export interface Branch {
  /** In the order in which they came. */
  children: Map<string, Node>
  /** The index that the next `[]` gets. */
  next: number
}

type Node = Branch | { leaf: unknown }

export const branch = (): Branch => ({ children: new Map(), next: 0 })

/** Puts a value under these keys, of which there is at least one. False when there is a value already. */
export function place(at: Branch, keys: readonly string[], value: unknown): boolean {
  const [first = '', ...rest] = keys
  const key = first === '' ? indexFor(at, rest) : first
  if (INDEX.test(key)) at.next = Math.max(at.next, Number(key) + 1)
  const child = at.children.get(key)
  if (rest.length === 0) {
    if (child !== undefined) return false
    at.children.set(key, { leaf: value })
    return true
  }
  const deeper = child ?? branch()
  if ('leaf' in deeper) return false
  at.children.set(key, deeper)
  return place(deeper, rest, value)
}

const INDEX = /^\d{1,9}$/

/** `[]` is the last element when it can still take the rest of the name, and a new one otherwise. */
function indexFor(at: Branch, rest: readonly string[]): string {
  const last = at.children.get(String(at.next - 1))
  const continues = rest.length > 0 && last !== undefined && 'children' in last && !has(last, rest)
  return String(continues ? at.next - 1 : at.next)
}

/** True when there is something under these keys. A list always takes one more element. */
function has(at: Node, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined || 'leaf' in at) return true
  const child = at.children.get(key)
  return key !== '' && child !== undefined && has(child, rest)
}

/** A branch whose keys are all indexes is a list, in the order of the indexes; any other is an object. */
export function built(node: Node): unknown {
  if ('leaf' in node) return node.leaf
  const entries = [...node.children]
  if (!entries.every(([key]) => INDEX.test(key)))
    return Object.fromEntries(entries.map(([key, child]) => [key, built(child)]))
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => built(child))
}
