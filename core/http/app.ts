/** Core over HTTP: its routes, a request's id, the one error answer, and the lines of requests in the log. */
import { type Context, Hono } from 'hono'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { CalibrationReport } from '../calibration/report.ts'
import { errorAnswer, ServiceError } from '../contract/errors.ts'
import { verbPath } from '../contract/rpc/operations.ts'
import { type Log, traceOf } from '../log.ts'
import type { Services } from '../operations/services.ts'
import type { AuthenticationPoint } from '../operations/upkeep/audited-refusals.ts'
import { drainingMiddleware } from './draining.ts'
import { healthRoutes } from './health.ts'
import { pictureRoutes } from './pictures.ts'
import type { Handlers } from './rpc/handlers.ts'
import { rejectionLog } from './rpc/rejection-log.ts'
import { refusal, rpcRoutes } from './rpc/rpc.ts'
import type { SignatureCheck } from './rpc/signed.ts'
import type { StreamHandlers } from './rpc/stream-handlers.ts'
import { type OperatorAccess, operatorOnly } from './store/operator.ts'
import { statisticsRoutes } from './store/statistics.ts'
import { storeRoutes } from './store/store.ts'
import { apiRefusal, isNoRoom, storeRefusal } from './store/store-refusals.ts'

export interface AppOptions {
  services: Pick<Services, 'links' | 'pictures' | 'now' | 'vectors' | 'scale' | 'diskSpace'>
  handlers: Handlers
  readings: StreamHandlers
  /** What the edge is known by, and which of its requests were heard. */
  signed: Pick<SignatureCheck, 'keys' | 'nonces'>
  /** What chips are embedded with. */
  embedder: string
  door: OperatorAccess
  /** What thresholds mean; not told when absent. */
  calibration?: CalibrationReport | undefined
  isReady(): Promise<boolean>
  /** Whether the process was told to stop. */
  isGoing?: (() => boolean) | undefined
  /** Is told of each failed authentication. */
  refused?: ((door: AuthenticationPoint) => void) | undefined
  log: Log
}

const REQUEST_ID = 'x-request-id'

/** What the log has for a request that found no room, in the place of its 503: HTTP's Insufficient Storage. */
const NO_ROOM_STATUS = 507
const NO_ROOM = 'no room'

export function createApp({
  services,
  handlers,
  readings,
  signed,
  embedder,
  door,
  calibration,
  isReady,
  isGoing = () => false,
  refused = () => {},
  log,
}: AppOptions): Hono {
  // A slash at the end of a path is nobody's mistake.
  const app = new Hono({ strict: false })
  const brokeOff = (error: unknown) => log('broke off', traceOf(error))
  app.use(async (context, next) => {
    const began = performance.now()
    const id = requestId(context)
    await next()
    context.header(REQUEST_ID, id)
    if (isRoutine(context)) return
    log('request', {
      method: context.req.method,
      route: routePath(context, -1),
      status: loggedStatus(context),
      ms: Math.round((performance.now() - began) * 10) / 10,
      request_id: id,
    })
  })
  const { closing, turningAway } = drainingMiddleware(isGoing)
  app.use(closing)
  app.use(turningAway)
  app.route('/', healthRoutes({ isReady, isFull: () => services.diskSpace.isFull() }))
  app.route('/', pictureRoutes(services))
  const edgeDoor = { ...signed, now: services.now, onRejected: rejectionLog(log, services.now) }
  app.route('/', rpcRoutes({ handlers, readings, door: edgeDoor, embedder, brokeOff }))
  for (const path of ['/v1/*', '/stat/*']) app.use(path, operatorOnly(door))
  app.route('/', storeRoutes({ services, brokeOff }))
  app.route('/', statisticsRoutes({ ...services, calibration }))
  app.notFound(context => plainError(context, new ServiceError('NOT_FOUND')))
  app.onError((thrown, context) => {
    if (isNoRoom(thrown)) noteNoRoom(context)
    const forEdge = context.req.path.startsWith('/internal/')
    const error = forEdge ? apiRefusal(thrown) : storeRefusal(thrown)
    if (!(error instanceof ServiceError))
      log('failure', { request_id: requestId(context), ...traceOf(error) })
    else if (error.code === 'AUTH_FAILED') refused(doorOf(context.req.path))
    return forEdge ? refusal(error) : plainError(context, error)
  })
  return app
}

const doorOf = (path: string): AuthenticationPoint =>
  path === verbPath('caller') ? 'token' : path.startsWith('/internal/') ? 'edge' : 'operator'

/** What the store's interface does thousands of times a second is not told: a line costs as much as half the answer. */
const isRoutine = ({ req, res }: Context): boolean => res.status < 400 && req.path.startsWith('/v1/')

const noteNoRoom = (context: Context): void => context.set(NO_ROOM, true)

const loggedStatus = (context: Context): number =>
  context.get(NO_ROOM) ? NO_ROOM_STATUS : context.res.status

/** The edge's id for the request when it sends one, so that both logs can be read together; else a new one. */
function requestId(context: Context): string {
  const kept = context.get(REQUEST_ID)
  if (typeof kept === 'string') return kept
  const sent = context.req.header(REQUEST_ID) ?? ''
  const id = /^[\w-]{8,64}$/.test(sent) ? sent : crypto.randomUUID()
  context.set(REQUEST_ID, id)
  return id
}

function plainError(context: Context, error: unknown): Response {
  const { status, body } = errorAnswer(error)
  const headers: Record<string, string> = status === 503 ? { 'retry-after': '1' } : {}
  return context.json({ ...body, request_id: requestId(context) }, status as ContentfulStatusCode, headers)
}
