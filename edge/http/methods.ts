/** Methods of each path of the API, for the header `Allow`. */
import type { Operation } from '../operations/operation.ts'

/** Maps each path and alias to its methods. A path with GET also has HEAD. */
export function methodsByPath(
  operations: readonly Pick<Operation, 'method' | 'path' | 'aliases'>[],
): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path, aliases = [] } of operations)
    for (const one of [path, ...aliases]) {
      const known = methods.get(one) ?? []
      methods.set(one, [...known, ...(method === 'get' ? GET : [method.toUpperCase()])])
    }
  return methods
}

export const GET: readonly string[] = ['GET', 'HEAD']
