/** Middleware of a draining core: rejects requests of edges with a header and closes connections. */
import type { Context, Next } from 'hono'
import { ServiceError } from '../../contract/errors.ts'
import { DRAINING_HEADER } from '../../contract/rpc/headers.ts'

/** Paths of requests that edges can send to another core. */
const EDGE_PATHS = /^\/(internal|pictures)\//

/**
 * Two middlewares. `closing` closes the connection after each response. `turningAway` rejects requests of edges with
 * SERVICE_UNAVAILABLE and DRAINING_HEADER before they are executed. Requests in progress complete.
 */
export function drainingMiddleware(isDraining: () => boolean) {
  return {
    async closing(context: Context, next: Next): Promise<void> {
      await next()
      if (!isDraining()) return
      context.header('connection', 'close')
      if (context.get(DRAINING_HEADER)) context.header(DRAINING_HEADER, '1')
    },

    async turningAway(context: Context, next: Next): Promise<void> {
      if (!isDraining() || !EDGE_PATHS.test(context.req.path)) return next()
      context.set(DRAINING_HEADER, true)
      await discardBody(context.req.raw.body)
      throw new ServiceError('SERVICE_UNAVAILABLE')
    },
  }
}

/** A connection that is closed with unread bytes is reset, and the response can be lost. */
async function discardBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
  for await (const _ of body ?? []);
}
