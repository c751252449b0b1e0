/** Paths of the API: their parameters, their templates, and the known path that is nearest to an unknown one. */
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { likelyName } from '../../contract/nearest-name.ts'

/** Names of the parameters of a path: `id` of `/face/id/:id`. */
export const namesInPath = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

/** Converts `/face/id/:id` to `/face/id/{id}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')

/**
 * The template of the known path that an unknown path probably means. Undefined above REQUEST_LIMITS.comparedPathLength, because
 * the work grows with the length.
 */
export function likelyPath(path: string, known: readonly string[]): string | undefined {
  if (path.length > REQUEST_LIMITS.comparedPathLength) return undefined
  const given = path.replace(/\/$/, '')
  const segments = given.toLowerCase().split('/')
  // A parameter of a known path has the value of the unknown path.
  const filled = known.map(one =>
    one.split('/').map((name, i) => (name.startsWith(':') ? segments[i] : name)),
  )
  const paths = filled.map(one => one.join('/'))
  const meant = likelyName(given, paths)
  return meant === undefined ? undefined : templateOf(known[paths.indexOf(meant)]!)
}
