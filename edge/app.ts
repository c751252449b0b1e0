/** The edge application: middleware and routes, in the order in which a request passes them. */
import { Hono, type MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { getPathNoStrict } from 'hono/utils/url'
import { environment } from '../contract/environment.ts'
import { type ErrorDetail, ServiceError } from '../contract/errors.ts'
import { allows } from '../contract/model/token.ts'
import type { Caller, Version } from '../contract/operations/operation.ts'
import { OPERATIONS, type Operation } from '../contract/operations/table.ts'
import { callerNetwork } from './admission/caller-network.ts'
import { consoleFile, consolePage } from './console/console.ts'
import type { EdgeServices } from './edge-services.ts'
import { announcedBytes, sendEarly } from './http/body.ts'
import { type EdgeContext, jsonResponse, type Variables, withOneSlash } from './http/context.ts'
import { crossOrigin } from './http/cross-origin.ts'
import { IGNORED_HEADER } from './http/ignored-parameters.ts'
import { GET, methodsByPath, withoutBody } from './http/methods.ts'
import { originOf } from './http/origin.ts'
import { likelyPath } from './http/paths.ts'
import { isIsolateOverloaded, refuser } from './http/refuse.ts'
import { requestRecord } from './http/request-record.ts'
import { documentRoutes } from './openapi/serve-documents.ts'
import { HANDLERS } from './operations/handlers.ts'
import { route } from './operations/route.ts'
import { requireCsrfToken, sessionCaller, sessionIn } from './sessions/cookie.ts'
import { sessionRoutes } from './sessions/session-routes.ts'

const PREFIXES = [
  ['/v0', 'v0'],
  ['/v1', 'v1'],
  ['', 'v1'],
] as const

const PATHS = PREFIXES.flatMap(([prefix]) =>
  [...methodsByPath(OPERATIONS).keys()].map(path => `${prefix}${path}`),
)

/** Names the path that the caller probably means. */
function unknownPath(path: string): ErrorDetail {
  const meant = likelyPath(withOneSlash(path), PATHS)
  return meant === undefined
    ? {}
    : { reason: `Not found: no operation has this path. Did you mean ${meant}?` }
}

/**
 * The whole public API. An unversioned path is an alias of v1; a trailing slash is optional. Unknown paths and methods
 * require a token, too: a caller without a token learns neither the paths nor their methods.
 */
export function createApp(services: EdgeServices) {
  const app = new Hono<{ Variables: Variables }>({
    getPath: request => withOneSlash(getPathNoStrict(request)),
  })
  app.use(requestRecord(services))
  app.use(requestId({ limitLength: 128 }), async (context, next) => {
    await next()
    context.res.headers.set('x-request-id', context.get('requestId'))
    const ignored = context.get('ignored')
    if (ignored !== undefined) context.res.headers.set(IGNORED_HEADER, ignored)
  })
  app.use(withUnreadBody, withoutBody, crossOrigin(services.corsOrigins ?? []))
  app.use((context, next) => {
    context.set('origin', originOf(context.req.raw, services))
    return next()
  })
  app.get('/', consolePage(services))
  app.get('/console/:file', consoleFile(services))
  app.route('/session', sessionRoutes(services))
  app.get('/healthz', () => jsonResponse({ status: 'ok' })).all(notAllowed(GET))
  app.get('/pictures/*', pictures(services)).all(notAllowed(GET))
  for (const [prefix, version] of PREFIXES) {
    app.route(`${prefix}/docs`, documentRoutes(services))
    app.route(prefix, operations(services, version))
  }
  app.all('*', async context => {
    await authenticate(services, context)
    throw new ServiceError('NOT_FOUND', unknownPath(context.req.path))
  })
  const refuse = refuser()
  app.onError((error, context) => refuse(context, error))
  return app
}

/** Keeps the connection after an answer until the rest of a body has arrived that no handler reads. Streams stay as they are. */
const withUnreadBody: MiddlewareHandler = async (context, next) => {
  await next()
  const { error, req, res } = context
  const isStream = /^(text\/event-stream|multipart\/)/.test(res.headers.get('content-type') ?? '')
  const isUnread = error === undefined && !req.raw.bodyUsed && !isStream
  if (isUnread || (error !== undefined && !isIsolateOverloaded(error)))
    context.res = await sendEarly(req.raw, res)
}

function operations(services: EdgeServices, version: Version) {
  const api = new Hono<{ Variables: Variables }>({ strict: false })
  for (const operation of OPERATIONS) {
    const { method, path, aliases = [] } = operation
    api.on(method.toUpperCase(), [path, ...aliases], admitted(services, operation, version))
  }
  for (const [path, methods] of methodsByPath(OPERATIONS))
    api.all(path, async context => {
      await authenticate(services, context)
      return notAllowed(methods)()
    })
  return api
}

async function authenticate(services: EdgeServices, context: EdgeContext): Promise<Caller> {
  const authorization = context.req.header('authorization')
  const session = authorization === undefined ? sessionIn(context) : undefined
  if (session === undefined)
    return services.authenticate({ authorization, network: callerNetwork(context.req.raw) })
  await requireCsrfToken(context, session)
  return sessionCaller(services, context, session)
}

const notAllowed = (allow: readonly string[]) => (): never => {
  throw new ServiceError('METHOD_NOT_ALLOWED', { allow })
}

/** Authorizes and admits a request, then runs the operation. Refusals happen before the body is read. */
function admitted(services: EdgeServices, operation: Operation, version: Version) {
  const handle = route(operation, HANDLERS, services)
  return async (context: EdgeContext): Promise<Response> => {
    context.set('operation', operation.name)
    const caller = await authenticate(services, context)
    if (!allows(caller.scope, operation.permission)) throw new ServiceError('FORBIDDEN')
    context.set('caller', caller)
    context.set('version', version)
    const arrivedAt = environment.now()
    const permit = await services.admission.acquire(caller.token, announcedBytes(context.req.raw))
    context.get('stageEnded')('queue', arrivedAt)
    context.set('permit', permit)
    try {
      return await handle(context)
    } finally {
      permit.release()
    }
  }
}

/** Thumbnails and normalized pictures. Core checks the signature of the link. */
const pictures =
  ({ core }: EdgeServices) =>
  async (context: EdgeContext): Promise<Response> => {
    const { pathname, search } = new URL(context.req.url)
    // Routes match before dot segments are resolved. Without this check, a path could reach other endpoints of core.
    if (!pathname.startsWith('/pictures/')) throw new ServiceError('NOT_FOUND')
    const picture = await core.picture(pathname + search, context.req.header('range'))
    if (picture.status === 404) {
      await picture.body?.cancel()
      throw new ServiceError('NOT_FOUND')
    }
    return new Response(picture.body, picture)
  }
