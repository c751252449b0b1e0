/** The header that names the parameters of a request that its operation does not know. */

import { LIMITS } from '../../core/contract/limits.ts'
import { isNearName } from '../../core/contract/nearest-name.ts'

export const IGNORED_HEADER = 'x-ignored-parameters'

/**
 * `treshold; did-you-mean=threshold, colour`: names are percent-encoded and cut, and a list that is cut ends in `...`.
 * Undefined when there are none. `known` are the names that may be meant.
 */
export function ignoredHeader(unknown: Iterable<string>, known: readonly string[]): string | undefined {
  const names = [...unknown]
  if (names.length === 0) return undefined
  const entries = names.slice(0, LIMITS.ignoredNames).map(name => entryOf(name, known))
  return [...entries, ...(names.length > entries.length ? ['...'] : [])].join(', ')
}

function entryOf(name: string, known: readonly string[]): string {
  const short = name.slice(0, LIMITS.ignoredNameLength).toWellFormed()
  const encoded = encodeURIComponent(short) + (short.length < name.length ? '...' : '')
  const meant = isNearName(short, known)
  return meant === undefined ? encoded : `${encoded}; did-you-mean=${meant}`
}
