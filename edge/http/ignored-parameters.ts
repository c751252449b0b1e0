/** Unknown parameters of a request: the response header `X-Ignored-Parameters`, and the hint in an error about a missing parameter. */

import { badParam, ServiceError } from '../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { likelyName } from '../../contract/nearest-name.ts'

export const IGNORED_HEADER = 'x-ignored-parameters'

interface KnownNames {
  /** Names of the operation's parameters. */
  known: readonly string[]
  /** Names that the operation knows in v1 only, for a request of v0. */
  onlyInV1: ReadonlySet<string>
}

/**
 * For example `treshold; did-you-mean=threshold, age; only-in=v1, colour`. Names are percent-encoded. Long names and lists are
 * cut and end in `...`. Undefined without unknown names.
 */
export function ignoredHeader(unknown: Iterable<string>, names: KnownNames): string | undefined {
  const all = [...unknown]
  if (all.length === 0) return undefined
  const entries = all.slice(0, REQUEST_LIMITS.ignoredNames).map(name => entryOf(name, names))
  return [...entries, ...(all.length > entries.length ? ['...'] : [])].join(', ')
}

function entryOf(name: string, { known, onlyInV1 }: KnownNames) {
  if (onlyInV1.has(name)) return `${name}; only-in=v1`
  const short = name.slice(0, REQUEST_LIMITS.ignoredNameLength).toWellFormed()
  const encoded = encodeURIComponent(short) + (short.length < name.length ? '...' : '')
  const meant = meantName(short, known)
  return meant === undefined ? encoded : `${encoded}; did-you-mean=${meant}`
}

/** The parameter that the caller probably means: the name is similar, or other services have it for a photo. */
function meantName(name: string, known: readonly string[]): string | undefined {
  const photo = name.replace(PHOTO_ELSEWHERE, 'photo').replace(PHOTO_SUFFIX, '')
  return likelyName(name, known) ?? likelyName(photo, known)
}

const PHOTO_ELSEWHERE = /^(?:foto|image|img|picture|pic|file|url)/i
const PHOTO_SUFFIX = /_?(?:file|url)(?=\d?$)/i

/**
 * The error of a missing parameter, with the unknown parameter that was probably sent in its place. Other errors are returned
 * unchanged.
 */
export function withMeantName(error: unknown, unknown: Iterable<string>): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'BAD_PARAM') return error
  const { param = '', value } = error.detail
  if (value !== undefined && value !== null && value !== '') return error
  const sent = [...unknown].find(
    name => name.length <= REQUEST_LIMITS.ignoredNameLength && meantName(name, [param]) === param,
  )
  if (sent === undefined) return error
  return badParam(param, value, `${param}: missing. Did you mean \`${param}\` instead of \`${sent}\`?`)
}
