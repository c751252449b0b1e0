/** CORS: lets web pages of configured origins read responses. */
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { OPERATIONS } from '../../contract/operations/table.ts'

/** Response headers that pages may read: headers of every response, and headers of operations. */
const EXPOSED = [
  'X-Request-Id',
  'X-Ignored-Parameters',
  'Retry-After',
  'Allow',
  ...new Set(OPERATIONS.flatMap(({ headers = {} }) => Object.keys(headers))),
]

/** Allows these origins; `*` allows any. Credentials stay disabled: only the token identifies a caller. */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  if (origins.length === 0) return (_, next) => next()
  const allowed = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id'],
    exposeHeaders: EXPOSED,
    maxAge: REQUEST_LIMITS.preflightSeconds,
  })
  return (context, next) => {
    const isPlainOptions =
      context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') === undefined
    return isPlainOptions ? next() : allowed(context, next)
  }
}
