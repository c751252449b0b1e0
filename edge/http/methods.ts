/** Methods of each path of the API, for the header `Allow`. */
import type { MiddlewareHandler } from 'hono'
import type { Operation } from '../../contract/operations/table.ts'

/** Drops the body of a response to HEAD and ends its source, for example a list streamed from core. */
export const withoutBody: MiddlewareHandler = async (context, next) => {
  await next()
  if (context.req.method !== 'HEAD') return
  const { body } = context.res
  context.res = new Response(null, context.res)
  if (body) await endBody(body)
}

/** Ends a body. The second read starts the list behind a streamed response; cancelling ends only a started list. */
async function endBody(body: ReadableStream) {
  const reader = body.getReader()
  try {
    await reader.read()
    await reader.read()
  } catch {
    // A body that breaks off has also ended.
  }
  await reader.cancel().catch(() => {})
}

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
