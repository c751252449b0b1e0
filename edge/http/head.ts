/** Responses to HEAD: the headers of GET without a body. */
import type { MiddlewareHandler } from 'hono'

/** Drops the body of a response to HEAD and ends its source, for example a list streamed from core. */
export const withoutBody: MiddlewareHandler = async (context, next) => {
  await next()
  if (context.req.method !== 'HEAD') return
  const { body } = context.res
  context.res = new Response(null, context.res)
  if (body) await endBody(body)
}

/** Ends a body. The second read starts the list behind a streamed response; cancelling ends only a started list. */
async function endBody(body: ReadableStream): Promise<void> {
  const reader = body.getReader()
  try {
    await reader.read()
    await reader.read()
  } catch {
    // A body that breaks off has also ended.
  }
  await reader.cancel().catch(() => {})
}
