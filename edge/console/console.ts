/** GET / in a browser and GET /console/FILE: the console, static files that the bundle contains. */
import type { MiddlewareHandler } from 'hono'
import { accepts } from 'hono/accepts'
import { environment } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { pause } from '../admission/fair-queue.ts'
import type { Core } from '../core-client/core-client.ts'
import type { EdgeServices } from '../edge-services.ts'
import { textResponses } from '../http/compressed.ts'
import type { Variables } from '../http/context.ts'
import { pageHeaders } from '../http/page-headers.ts'

type Handler = MiddlewareHandler<{ Variables: Variables }>

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  md: 'text/markdown; charset=utf-8',
}

/**
 * Scripts have the origin of the page and write no HTML; their only policy names the service worker. Pictures are links of the
 * service, or photos that the visitor chose.
 */
const HEADERS = {
  ...pageHeaders(
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types service-worker',
  ),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
}

/** Pictures of the documentation. */
const PICTURE = /^[\w-]+\.webp$/

/** The only file whose name has no hash: browsers look for another version at the same address. */
const SERVICE_WORKER = 'service-worker.js'

/** The page. A client that does not prefer HTML gets the response of an unknown path. */
export function consolePage({ core, consoleFiles }: Pick<EdgeServices, 'core' | 'consoleFiles'>): Handler {
  const health = coreHealth(core)
  return async (context, next) => {
    const supports = ['application/json', 'text/html']
    const preferred = accepts(context, { header: 'Accept', supports, default: 'application/json' })
    if (preferred !== 'text/html') return next()
    const page = withState(consoleFiles['index.html'] ?? '', await health())
    return new Response(page, { headers: { ...fileHeaders('index.html', 'no-cache'), vary: 'Accept' } })
  }
}

/**
 * A script, a style sheet, a page or a picture of the documentation, or a sample photo. Another name gets the response of an unknown
 * path.
 */
export function consoleFile({
  consoleFiles,
  consolePhotos,
  readAsset,
}: Pick<EdgeServices, 'consoleFiles' | 'consolePhotos' | 'readAsset'>): Handler {
  const textResponse = textResponses()
  return async (context, next) => {
    const name = context.req.param('file') ?? ''
    const picture = Object.hasOwn(consolePhotos, name)
      ? consolePhotos[name]!
      : PICTURE.test(name) && (await readAsset(name).catch(() => undefined))
    if (picture) return new Response(picture, { headers: fileHeaders(name, 'public, max-age=86400') })
    if (name === 'index.html' || !Object.hasOwn(consoleFiles, name)) return next()
    // The other names have hashes.
    const isUnhashed = name.endsWith('.md') || name === SERVICE_WORKER
    const cached = isUnhashed ? 'no-cache' : 'public, max-age=31536000, immutable'
    return textResponse(context, consoleFiles[name]!, fileHeaders(name, cached))
  }
}

/** Result of a check of core. */
interface Health {
  isReady?: boolean
  /** Name of the OpenID provider. The last one stays known while core is away. */
  provider?: string
}

/**
 * Fills the attributes of the page: `data-core` is `ready`, `away`, or `unknown` before the first check; `data-provider` is the name of
 * the OpenID provider, or "".
 */
const withState = (page: string, { isReady, provider = '' }: Health) =>
  page
    .replace('data-core=""', `data-core="${isReady === undefined ? 'unknown' : isReady ? 'ready' : 'away'}"`)
    .replace('data-provider=""', () => `data-provider="${escaped(provider)}"`)

const escaped = (text: string) => text.replace(/[&<>"]/g, one => `&#${one.charCodeAt(0)};`)

const fileHeaders = (name: string, cached: string) => ({
  ...HEADERS,
  'content-type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
  'cache-control': cached,
})

/**
 * Returns a function that checks at most once per EDGE_LIMITS.healthEveryMs whether core is ready. It returns the
 * result of the last check; empty during the first check. A request never waits for the check of another request.
 */
function coreHealth(core: Pick<Core, 'call'>): () => Promise<Health> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let health: Health = {}
  return async () => {
    if (environment.now() - checkedAt < EDGE_LIMITS.healthEveryMs) return health
    checkedAt = environment.now()
    const away = (): Health => ({ ...health, isReady: false })
    const check = core
      .call('ready', {})
      .then(({ response }): Health => ({ isReady: true, provider: response.provider }), away)
    health = await Promise.race([check, pause(EDGE_LIMITS.healthMs).then(away)])
    return health
  }
}
