/**
 * Sign-in of browsers, for the console only: the path `/session`. Each sign-in opens a new session with a text that the edge makes;
 * core gets its hash. Pages of other sites are refused.
 */
import { Hono, type HonoRequest } from 'hono'
import * as z from 'zod'
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'
import { PROVIDER_LIMITS, TOKEN_LIMITS } from '../../contract/limits/tokens.ts'
import { freshToken, tokenHash } from '../../contract/model/token.ts'
import type { RpcRequest } from '../../contract/operations/messages.ts'
import { parseJsonText } from '../../contract/parameters/json-text.ts'
import type { RateAllowance } from '../../contract/rate-allowance.ts'
import type { Permit } from '../admission/admission.ts'
import { callerAllowances, callerNetwork } from '../admission/caller-network.ts'
import type { EdgeServices } from '../edge-services.ts'
import { readBody } from '../http/body.ts'
import type { EdgeContext, Variables } from '../http/context.ts'
import {
  attemptIn,
  csrfTokenOf,
  forgetSession,
  keepAttempt,
  keepSession,
  requireCsrfToken,
  sessionCaller,
  sessionIn,
} from './cookie.ts'

/**
 * A link, a passkey, both for an invitation, or nothing for the options of a passkey. `provider` is the answer of the OpenID
 * provider, or "" to begin there.
 */
const Body = z.object({
  code: z.string().optional(),
  credential: z.unknown().optional(),
  provider: z.string().max(PROVIDER_LIMITS.answerLength).optional(),
})

export function sessionRoutes(services: EdgeServices) {
  const app = new Hono<{ Variables: Variables }>({ strict: false })
  const allowances = callerAllowances(TOKEN_LIMITS.signInsPerSecond)
  app.use(async (context, next) => {
    requireOwnPage(context)
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })

  /** The CSRF token of the session, for the page of the console. */
  app.get('/', async context => {
    const session = await validSession(services, context)
    return context.json(session === undefined ? {} : { csrf: await csrfTokenOf(session) })
  })

  app.post('/', async context => {
    requireAllowance(allowances(callerNetwork(context.req.raw)))
    const isJson = /^application\/json\b/i.test(context.req.header('content-type') ?? '')
    const { success, data } = Body.safeParse(isJson ? await jsonOf(context.req) : 0)
    if (!success) throw new ServiceError('MALFORMED_JSON')
    const code = data.code === undefined ? undefined : await linkHash(data.code)
    const answer = data.provider
    const provider = answer === undefined ? undefined : { attempt: attemptIn(context), answer }
    const { credential } = data
    const device = credential === undefined ? undefined : deviceIn(context.req.header('user-agent'))
    return openSession(services, context, { code, credential, device, provider })
  })

  app.delete('/', async context => {
    const session = sessionIn(context) ?? ''
    await requireCsrfToken(context, session)
    const { owner, token } = await services.authenticate({ session, network: callerNetwork(context.req.raw) })
    await services.core.call('session.end', { owner, by: token, id: token })
    forgetSession(context)
    return context.body(null, 204)
  })
  return app
}

/** Throws FORBIDDEN for a request that a page of another origin sends. Browsers name the page in `Origin`. */
function requireOwnPage({ req, get }: EdgeContext) {
  const page = req.header('origin')
  const site = req.header('sec-fetch-site') ?? 'same-origin'
  if ((page === undefined || page === get('origin')) && site === 'same-origin') return
  throw new ServiceError('FORBIDDEN', {
    reason:
      'Only the console of this service may sign in. If this is its page, a proxy hides its address: set MIEN_PUBLIC_URL or --trusted-proxies.',
  })
}

/** Counts an attempt. Throws RATE_LIMITED. Nothing here can be guessed: the bound is on the work of one network. */
function requireAllowance({ wait, spend }: RateAllowance) {
  const now = environment.now()
  const seconds = wait(now)
  if (seconds > 0) throw new ServiceError('RATE_LIMITED', { retryAfter: Math.ceil(seconds) })
  spend(now)
}

/** A place outside of the admission: slow bodies in its places would keep others from signing in. */
const NO_PERMIT: Permit = { reserve: () => {}, shouldYield: false, release: () => {} }

/** The value of the body. Throws the errors of readBody. */
async function jsonOf({ raw }: HonoRequest): Promise<unknown> {
  const bytes = await readBody(raw, NO_PERMIT, { most: TOKEN_LIMITS.signInBytes })
  return parseJsonText(new TextDecoder().decode(bytes))
}

/**
 * Asks core to open a session, and keeps it in the cookie. An earlier session of the browser is not used again. Core may answer options for
 * a passkey, or an address at the provider, instead. Sign-ins at a slow provider together hold at most the share of one token; the
 * others are short, and their rate is bounded.
 */
async function openSession(
  { core, admission }: EdgeServices,
  context: EdgeContext,
  way: Omit<RpcRequest<'session.open'>, 'session' | 'origin'>,
): Promise<Response> {
  const permit = way.provider ? await admission.acquire('provider', TOKEN_LIMITS.signInBytes) : NO_PERMIT
  try {
    const { token, hash } = await freshToken()
    const request = { ...way, session: hash, origin: context.get('origin') }
    const { options, location, attempt } = (await core.call('session.open', request)).response
    if (options !== undefined) return context.json({ options })
    if (location !== undefined && attempt !== undefined) {
      keepAttempt(context, attempt)
      return context.json({ location })
    }
    keepSession(context, token)
    return context.json({ csrf: await csrfTokenOf(token) })
  } finally {
    permit.release()
  }
}

/** Hash of the text in a link. */
async function linkHash(code: string) {
  const hash = await tokenHash(code)
  if (hash !== undefined) return hash
  throw new ServiceError('AUTH_FAILED', { reason: 'The link is incomplete. Open it as it was sent.' })
}

/** The session in the cookie. One that has ended is removed from the browser. */
async function validSession(services: EdgeServices, context: EdgeContext): Promise<string | undefined> {
  const session = sessionIn(context)
  if (session === undefined) return undefined
  try {
    await sessionCaller(services, context, session)
    return session
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'AUTH_FAILED') throw error
    forgetSession(context)
    return undefined
  }
}

/** Of browsers and of systems, the first one that matches. Most browsers name others, too. */
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|\bCriOS)\//],
  ['Safari', /\bSafari\//],
]

const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** Name of a new passkey, from the device in the header `User-Agent`. For example "Firefox on Linux"; "" for unknown programs. */
function deviceIn(userAgent = '') {
  const nameIn = (known: typeof BROWSERS) => known.find(([, sign]) => sign.test(userAgent))?.[0]
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(name => name !== undefined).join(' on ')
}
