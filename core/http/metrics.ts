/** GET /metrics for Prometheus, and the counting of core's responses. */
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { environment } from '../../contract/environment.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { OTHER } from '../../contract/metrics.ts'
import type { Metrics } from '../metrics/metrics.ts'

const CODE = 'metrics code'

/** Paths whose first segment is their operation. */
const PLAIN = ['healthz', 'readyz', 'metrics', 'pictures', 'stat']

export const metricsRoute = ({ contentType, text }: Pick<Metrics, 'contentType' | 'text'>): Hono =>
  new Hono().get('/metrics', async context =>
    context.body(await text(), 200, { 'content-type': contentType }),
  )

/** Middleware that counts each response. */
export const countedResponses =
  ({ request }: Pick<Metrics, 'request'>): MiddlewareHandler =>
  async (context, next) => {
    const startedAt = environment.monotonic()
    await next()
    const code = (context.get(CODE) as ErrorCode | undefined) ?? 'OK'
    request(operationOf(routePath(context, -1)), code, environment.monotonic() - startedAt)
  }

/** Notes the code of a refusal for its count. */
export const noteCode = (context: Context, code: ErrorCode): void => context.set(CODE, code)

/** Operation of a route. It comes from the route's pattern: no path of a caller becomes a label. */
function operationOf(pattern: string): string {
  const segments = pattern.split('/').slice(1)
  const [first = '', , verb] = segments
  if (first === 'internal') return segments.at(-1)!
  if (first === 'v1' && verb !== undefined) return `store.${verb}`
  return PLAIN.includes(first) ? first : OTHER
}
