/** Requests that web pages of other origins make (CORS): refused by browsers unless the origin is configured. */
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { LIMITS } from '../../core/contract/limits.ts'

/** Allows these origins; `*` is any of them. Cookies are never asked for: callers are known by their token alone. */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  if (origins.length === 0) return (_, next) => next()
  const allowed = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
    exposeHeaders: [
      'X-Request-Id',
      'X-Live-Servers',
      'X-Detection',
      'X-Ignored-Parameters',
      'Retry-After',
      'Allow',
    ],
    maxAge: LIMITS.preflightSeconds,
  })
  return (context, next) => {
    const isOther =
      context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') === undefined
    return isOther ? next() : allowed(context, next)
  }
}
