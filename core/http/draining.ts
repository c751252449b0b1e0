/** A core that was told to stop: it turns edges away at once, in words that they know, and keeps no connection open. */
import type { Context, Next } from 'hono'
import { ServiceError } from '../contract/errors.ts'
import { DRAINING_HEADER } from '../contract/rpc/operations.ts'

/** What edges ask for: they can ask another core. */
const OF_EDGES = /^\/(internal|pictures)\//

/**
 * Two middlewares. `closing` has every answer end its connection, `turningAway` refuses what edges ask. What is under way
 * is answered. Whose question is turned away may be sure that nothing of it was done.
 */
export function drainingMiddleware(isGoing: () => boolean) {
  return {
    async closing(context: Context, next: Next): Promise<void> {
      await next()
      if (!isGoing()) return
      context.header('connection', 'close')
      if (context.get(DRAINING_HEADER)) context.header(DRAINING_HEADER, '1')
    },

    async turningAway(context: Context, next: Next): Promise<void> {
      if (!isGoing() || !OF_EDGES.test(context.req.path)) return next()
      context.set(DRAINING_HEADER, true)
      await readToEnd(context.req.raw.body)
      throw new ServiceError('SERVICE_UNAVAILABLE')
    },
  }
}

/** A connection that is closed before all was read is reset, and the answer may be lost with it. */
async function readToEnd(body: ReadableStream<Uint8Array> | null): Promise<void> {
  for await (const _ of body ?? []);
}
