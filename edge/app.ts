/** The order of a request at the edge. */
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { ServiceError } from '../core/contract/errors.ts'
import { allows } from '../core/contract/scope.ts'
import { announcedBytes, heardOut } from './body.ts'
import type { Deps } from './deps.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { isFull, refuser } from './refuse.ts'
import { answer, type EdgeContext, type Variables, type Version } from './route.ts'
import { documentRoutes } from './routes/documents.ts'
import { pictures } from './routes/pictures.ts'

/** The whole public API. An unversioned path is an alias of v0; a trailing slash is optional everywhere. */
export function createApp(deps: Deps) {
  const app = new Hono<{ Variables: Variables }>({ strict: false })
  app.use(requestId({ limitLength: 128 }), async (context, next) => {
    await next()
    context.res.headers.set('x-request-id', context.get('requestId'))
  })
  app.get('/healthz', () => answer({ status: 'ok' }))
  app.get('/pictures/*', pictures(deps))
  for (const [prefix, version] of [
    ['/v0', 'v0'],
    ['/v1', 'v1'],
    ['', 'v0'],
  ] as const) {
    app.route(`${prefix}/docs`, documentRoutes(deps))
    app.route(prefix, operations(deps, version))
  }
  const refuse = refuser()
  const heardAndRefused = async (error: unknown, context: EdgeContext) => {
    if (!isFull(error)) await heardOut(context.req.raw)
    return refuse(context, error)
  }
  app.notFound(context => heardAndRefused(new ServiceError('NOT_FOUND'), context))
  app.onError(heardAndRefused)
  return app
}

function operations(deps: Deps, version: Version) {
  const api = new Hono<{ Variables: Variables }>({ strict: false })
  api.use(async (context, next) => {
    context.set('caller', await deps.authenticate(context.req.header('authorization') ?? null))
    context.set('version', version)
    context.set('origin', deps.publicUrl || new URL(context.req.url).origin)
    await next()
  })
  for (const operation of OPERATIONS) {
    const { method, path, aliases = [] } = operation
    api.on(method.toUpperCase(), [path, ...aliases], admitted(deps, operation))
  }
  return api
}

/** Answers who is allowed the operation and finds room; refuses others before anything of theirs is read. */
function admitted(deps: Deps, { needs, handler }: Operation) {
  const handle = handler(deps)
  return async (context: EdgeContext): Promise<Response> => {
    const { scope, token } = context.get('caller')
    if (!allows(scope, needs)) throw new ServiceError('FORBIDDEN')
    const visit = await deps.admission.enter(token, announcedBytes(context.req.raw))
    context.set('visit', visit)
    try {
      return await handle(context)
    } finally {
      visit.leave()
    }
  }
}
