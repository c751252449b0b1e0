/** GET / in a browser: the start page with the state of the service and links to its documentation. */
import type { MiddlewareHandler } from 'hono'
import { accepts } from 'hono/accepts'
import { coreHealth } from '../core-client/core-health.ts'
import type { EdgeServices } from '../deps.ts'
import { homeHeaders, homePage } from '../openapi/home-page.ts'
import type { Variables } from './route.ts'

/** A client that does not prefer HTML gets the response of an unknown path. */
export function home({ core }: Pick<EdgeServices, 'core'>): MiddlewareHandler<{ Variables: Variables }> {
  const health = coreHealth(core)
  return async (context, next) => {
    const supports = ['application/json', 'text/html']
    const preferred = accepts(context, { header: 'Accept', supports, default: 'application/json' })
    if (preferred !== 'text/html') return next()
    return new Response(homePage(await health(), context.get('origin')), { headers: await homeHeaders() })
  }
}
