/** Response header `X-Ignored-Parameters`: lists the unknown parameters of a request. */

import { LIMITS } from '../../core/contract/limits.ts'
import { likelyName } from '../../core/contract/nearest-name.ts'

export const IGNORED_HEADER = 'x-ignored-parameters'

/**
 * For example `treshold; did-you-mean=threshold, colour`. Names are percent-encoded. Long names and lists are cut and end in
 * `...`. Undefined without unknown names. `known` supplies the suggestions.
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
  const meant = likelyName(short, known)
  return meant === undefined ? encoded : `${encoded}; did-you-mean=${meant}`
}
