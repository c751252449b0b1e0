/** Answers to HEAD: the headers that GET would get. */
import type { MiddlewareHandler } from 'hono'

/** Ends the body of an answer to HEAD: what feeds it, such as a list that core streams, ends with it. */
export const withoutBody: MiddlewareHandler = async (context, next) => {
  await next()
  if (context.req.method !== 'HEAD') return
  const { body } = context.res
  context.res = new Response(null, context.res)
  if (body) await ended(body)
}

/** The second read starts the list behind a streamed answer: only a list that was started can be ended. */
async function ended(body: ReadableStream): Promise<void> {
  const reader = body.getReader()
  try {
    await reader.read()
    await reader.read()
  } catch {
    // A body that breaks off has ended, too.
  }
  await reader.cancel().catch(() => {})
}
