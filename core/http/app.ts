/** The HTTP application of core: routes, metrics, request ids, error responses and the request log. */
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { environment } from '../../contract/environment.ts'
import { type ErrorCode, errorAnswer, ServiceError } from '../../contract/errors.ts'
import { codeOf, OTHER } from '../../contract/metrics.ts'
import { rpcPath } from '../../contract/operations/messages.ts'
import type { CalibrationReport } from '../calibration/scale.ts'
import { type Log, traceOf } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { AuthenticationPoint } from '../operations/audit-log/audit-log.ts'
import type { Services } from '../operations/services.ts'
import { pictureRoutes } from './pictures.ts'
import { drainingMiddleware, healthRoutes } from './readiness.ts'
import { apiRefusal, isStorageFull, storeRefusal } from './refusals.ts'
import { EdgeMismatch } from './rpc/edge-compatibility.ts'
import type { Handlers, StreamHandlers } from './rpc/handlers.ts'
import { refusal, rpcRoutes } from './rpc/rpc.ts'
import { rejectionLog, type SignatureCheck } from './rpc/signed.ts'
import { type OperatorAccess, operatorOnly } from './store/operator.ts'
import { statisticsRoutes } from './store/statistics.ts'
import { storeRoutes } from './store/store.ts'

/** Dependencies of the application. */
export interface AppOptions {
  services: Pick<Services, 'database' | 'links' | 'pictures' | 'now' | 'vectors' | 'scale' | 'diskSpace'>
  handlers: Handlers
  streamHandlers: StreamHandlers
  /** Keys of edges, and nonces of their requests. */
  signed: Pick<SignatureCheck, 'keys' | 'nonces'>
  /** Label of the chips (embedding/label.ts). */
  chips: string
  operatorAccess: OperatorAccess
  metrics: Metrics
  /** The calibration for `/stat/calibration`; NOT_FOUND when absent. */
  calibration?: CalibrationReport
  /** The later version for `/stat/version`. */
  laterVersion?: () => string | undefined
  isReady(): Promise<boolean>
  /** Whether the process is draining. */
  isDraining?: () => boolean
  /** Called for each failed authentication. */
  refused?: (door: AuthenticationPoint) => void
  log: Log
}

const REQUEST_ID = 'x-request-id'

/** Logged status of a request that failed because of a full disk: 507 Insufficient Storage. The response has 503. */
const INSUFFICIENT_STORAGE = 507
const DISK_FULL = 'no room'

/** Creates the application with all routes and middleware. */
export function createApp({
  services,
  handlers,
  streamHandlers,
  signed,
  chips,
  operatorAccess,
  metrics,
  calibration,
  laterVersion,
  isReady,
  isDraining = () => false,
  refused = () => {},
  log,
}: AppOptions): Hono {
  // Accept a trailing slash.
  const app = new Hono({ strict: false })
  const onInterrupted = (error: unknown) => log('stream interrupted', traceOf(error))
  app.use(async (context, next) => {
    const started = environment.monotonic()
    const id = requestId(context)
    await next()
    context.header(REQUEST_ID, id)
    if (isRoutine(context)) return
    log('request', {
      method: context.req.method,
      route: routePath(context, -1),
      status: loggedStatus(context),
      ms: Math.round((environment.monotonic() - started) * 10) / 10,
      request_id: id,
    })
  })
  app.use(countedResponses(metrics))
  const { closing, turningAway } = drainingMiddleware(isDraining)
  app.use(closing)
  app.use(turningAway)
  app.route('/', healthRoutes({ isReady, isFull: () => services.diskSpace.isFull() }))
  app.route('/', pictureRoutes(services))
  const edgeSignatures = { ...signed, now: services.now, onRejected: rejectionLog(log, services.now) }
  app.route(
    '/',
    rpcRoutes({
      handlers,
      streamHandlers,
      signatures: edgeSignatures,
      chips,
      addBatch: metrics.addBatch,
      brokeOff: onInterrupted,
    }),
  )
  for (const path of ['/v1/*', '/stat/*', '/metrics']) app.use(path, operatorOnly(operatorAccess))
  const operatorRoutes = new Hono()
    .route('/', storeRoutes({ services, brokeOff: onInterrupted }))
    .route('/', statisticsRoutes({ ...services, calibration, laterVersion }))
    .route('/', metricsRoute(metrics))
  app.route('/', operatorRoutes)
  for (const [path, routes] of Map.groupBy(operatorRoutes.routes, route => route.path))
    app.all(path, notAllowed(routes.map(({ method }) => method)))
  app.notFound(context => {
    noteCode(context, 'NOT_FOUND')
    return plainError(context, new ServiceError('NOT_FOUND'))
  })
  app.onError((thrown, context) => {
    if (isStorageFull(thrown)) markDiskFull(context)
    const forEdge = context.req.path.startsWith('/internal/')
    const error = forEdge ? apiRefusal(thrown) : storeRefusal(thrown)
    noteCode(context, codeOf(error))
    if (!(error instanceof ServiceError) || thrown instanceof EdgeMismatch)
      log('failure', { request_id: requestId(context), ...traceOf(thrown) })
    else if (error.code === 'AUTH_FAILED') refused(authenticationPoint(context.req.path))
    return forEdge ? refusal(error) : plainError(context, error)
  })
  return app
}

/** A path with GET also has HEAD. */
const notAllowed = (methods: readonly string[]) => (): never => {
  throw new ServiceError('METHOD_NOT_ALLOWED', {
    allow: methods.includes('GET') ? [...methods, 'HEAD'] : methods,
  })
}

const authenticationPoint = (path: string): AuthenticationPoint =>
  path === rpcPath('caller')
    ? 'token'
    : path === rpcPath('session.open')
      ? 'sign-in'
      : path.startsWith('/internal/')
        ? 'edge'
        : 'operator'

/** Successful scrapes and requests to the store are not logged: a log line costs half as much as the request. */
const isRoutine = ({ req, res }: Context) => res.status < 400 && /^\/(v1\/|metrics$)/.test(req.path)

const markDiskFull = (context: Context) => context.set(DISK_FULL, true)

const loggedStatus = (context: Context) =>
  context.get(DISK_FULL) ? INSUFFICIENT_STORAGE : context.res.status

/** The request id of the edge, to relate both logs; a new id when the edge sends none. */
function requestId(context: Context) {
  const kept = context.get(REQUEST_ID)
  if (typeof kept === 'string') return kept
  const sent = context.req.header(REQUEST_ID) ?? ''
  const id = /^[\w-]{8,64}$/.test(sent) ? sent : environment.id()
  context.set(REQUEST_ID, id)
  return id
}

function plainError(context: Context, error: unknown): Response {
  const { status, body } = errorAnswer(error)
  const { allow } = error instanceof ServiceError ? error.detail : {}
  const headers = {
    ...(status === 503 && { 'retry-after': '1' }),
    ...(allow && { allow: allow.join(', ') }),
  }
  return context.json({ ...body, request_id: requestId(context) }, status as ContentfulStatusCode, headers)
}

const CODE = 'metrics code'

/** Paths whose first segment is their operation. */
const PLAIN_PATHS = ['healthz', 'readyz', 'metrics', 'pictures', 'stat']

const metricsRoute = ({ contentType, text }: Pick<Metrics, 'contentType' | 'text'>): Hono =>
  new Hono().get('/metrics', async context =>
    context.body(await text(), 200, { 'content-type': contentType }),
  )

/** Middleware that counts each response. */
const countedResponses =
  ({ request }: Pick<Metrics, 'request'>): MiddlewareHandler =>
  async (context, next) => {
    const startedAt = environment.monotonic()
    await next()
    const code = (context.get(CODE) as ErrorCode | undefined) ?? 'OK'
    request(operationOf(routePath(context, -1)), code, environment.monotonic() - startedAt)
  }

/** Notes the code of a refusal for its count. */
const noteCode = (context: Context, code: ErrorCode) => context.set(CODE, code)

/** Operation of a route. It comes from the route's pattern: no path of a caller becomes a label. */
function operationOf(pattern: string) {
  const segments = pattern.split('/').slice(1)
  const [first = '', , verb] = segments
  if (first === 'internal') return segments.at(-1)!
  if (first === 'v1' && verb !== undefined) return `store.${verb}`
  return PLAIN_PATHS.includes(first) ? first : OTHER
}
