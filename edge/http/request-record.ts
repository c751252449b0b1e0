/** Middleware that records each response: its counts, its log line. It sends counts to core when no request does. */
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { environment } from '../../contract/environment.ts'
import { RPC_LIMITS } from '../../contract/limits/rpc.ts'
import { codeOf } from '../../contract/metrics.ts'
import { pause } from '../admission/fair-queue.ts'
import type { EdgeServices } from '../edge-services.ts'
import type { EdgeContext, Variables } from './context.ts'
import { causeOf, isIsolateOverloaded } from './refuse.ts'
import { log, type RequestLine, requestLog } from './request-log.ts'

/** Load balancers ask it every few seconds. Its successful responses are not logged. */
const HEALTH_PATH = '/healthz'

/** Requests to core of one flush. A request may be too early to carry the latest counts. */
const FLUSH_ROUNDS = 3

/** Time after which a flush counts as lost: the runtime drops tasks of requests that it ends. */
const LOST_FLUSH_MS = 2 * FLUSH_ROUNDS * RPC_LIMITS.metricsFlushMs

type Needed = Pick<EdgeServices, 'metrics' | 'core' | 'background' | 'logsRequests'>

export function requestRecord(services: Needed): MiddlewareHandler<{ Variables: Variables }> {
  const { metrics, background = () => {}, logsRequests: logsAll } = services
  const later = (ms: number, work: () => void) => background(pause(ms).then(work))
  const logRequest = requestLog({ write: log, later, logsAll })
  const flush = metricsFlush(services)

  return async (context, next) => {
    const startedAt = environment.now()
    context.set('stageEnded', metrics.stageEnded)
    await next()
    const line = lineOf(context, environment.now() - startedAt)
    metrics.requestEnded(line, isIsolateOverloaded(context.error))
    if (line.code !== 'OK' || context.req.path !== HEALTH_PATH) logRequest(line)
    flush()
  }
}

const lineOf = (context: EdgeContext, ms: number): RequestLine => ({
  request_id: context.get('requestId'),
  status: context.res.status,
  code: context.error === undefined ? 'OK' : codeOf(context.error),
  method: context.req.method,
  route: routePath(context),
  operation: context.get('operation'),
  owner: context.get('caller')?.owner,
  ms,
  faces: context.get('faces'),
  cause: causeOf(context.error),
})

/** Returns a function that starts a task of the current request, unless one runs: it sends counts that no request takes along. */
function metricsFlush({ metrics, core, background }: Needed): () => void {
  let startedAt = Number.NEGATIVE_INFINITY

  /** Waits for a request that takes the counts along, then sends one. Never throws. */
  const flush = async () => {
    try {
      for (let round = 0; round < FLUSH_ROUNDS && metrics.isPending; round++) {
        await pause(RPC_LIMITS.metricsFlushMs)
        if (metrics.isPending) await core.call('ready', {})
      }
    } catch {
      // Core is unavailable. The counts wait for the next request.
    } finally {
      startedAt = Number.NEGATIVE_INFINITY
    }
  }

  return () => {
    if (!background || environment.now() - startedAt < LOST_FLUSH_MS) return
    startedAt = environment.now()
    background(flush())
  }
}
