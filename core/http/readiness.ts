/** Whether core serves requests: health routes for process managers and load balancers, and the middleware for draining. */
import { type Context, Hono, type Next } from 'hono'
import { ServiceError } from '../../contract/errors.ts'
import { rpcPath } from '../../contract/operations/messages.ts'
import { DRAINING_HEADER } from '../../contract/rpc/message-headers.ts'

/** State that the health routes report. */
interface Health {
  /** Whether core accepts requests and its dependencies respond. */
  isReady(): Promise<boolean>
  /** Whether the disk has too little free space for writes. */
  isFull(): Promise<boolean>
}

/** Body of `/readyz` while the disk is full. */
const DEGRADED = {
  status: 'degraded',
  reason: 'disk full',
  detail: 'Writes are refused with 503. Reads and deletions continue.',
} as const

/**
 * `/healthz` returns 200 while the process runs. `/readyz` returns 200 while core accepts requests and its dependencies
 * respond, else 503. A full disk is reported with 200: with 503 a load balancer would also stop reads and deletions.
 */
export function healthRoutes({ isReady, isFull }: Health): Hono {
  return new Hono()
    .get('/healthz', context => context.json({ status: 'up' }))
    .get('/readyz', async context => {
      if (!(await isReady())) return context.json({ status: 'not ready' }, 503)
      return context.json((await isFull()) ? DEGRADED : { status: 'ready' })
    })
}

/** Paths of requests that edges can send to another core. */
const EDGE_PATHS = /^\/(internal|pictures)\//

/**
 * Two middlewares. `closing` closes the connection after each response. `turningAway` rejects requests of edges with
 * SERVICE_UNAVAILABLE and DRAINING_HEADER before they are executed. Requests in progress complete, and their edges may ask for lost
 * answers.
 */
export function drainingMiddleware(isDraining: () => boolean) {
  return {
    async closing(context: Context, next: Next) {
      await next()
      if (!isDraining()) return
      context.header('connection', 'close')
      if (context.get(DRAINING_HEADER)) context.header(DRAINING_HEADER, '1')
    },

    async turningAway(context: Context, next: Next) {
      const { path } = context.req
      if (!isDraining() || !EDGE_PATHS.test(path) || path === rpcPath('change.outcome')) return next()
      context.set(DRAINING_HEADER, true)
      await discardBody(context.req.raw.body)
      throw new ServiceError('SERVICE_UNAVAILABLE')
    },
  }
}

/** A connection that is closed with unread bytes is reset, and the response can be lost. */
async function discardBody(body: ReadableStream<Uint8Array> | null) {
  for await (const _ of body ?? []);
}
