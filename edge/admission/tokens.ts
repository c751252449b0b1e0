/**
 * Authentication: maps the `Authorization` header or the cookie of a session to a caller, with a cache of core's lookups.
 * edge/app.ts checks the scope.
 */
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'
import { TOKEN_LIMITS } from '../../contract/limits/tokens.ts'
import { tokenHash } from '../../contract/model/token.ts'
import type { Caller } from '../../contract/operations/operation.ts'
import type { RateAllowance } from '../../contract/rate-allowance.ts'
import type { Core } from '../core-client/core-client.ts'
import { callerAllowances } from './caller-network.ts'

/** Credentials of a request. */
interface Presented {
  /** The header `Authorization`. */
  authorization?: string
  /** Text of a session, from its cookie. Then the header is not read. */
  session?: string
  /** Of the caller (caller-network.ts). */
  network: string
}

export type Authenticate = (presented: Presented) => Promise<Caller>

/** A Worker's rate limiting binding. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

interface AuthenticateOptions {
  core: Core
  /** Maximum age of a cached caller in milliseconds; 0 looks each request up. Default: TOKEN_LIMITS.trustedMs. */
  trustedMs?: number
  /** Absent where the deployment binds none. */
  rateLimiter?: RateLimiter
  /** Clock in Unix milliseconds. */
  now?: () => number
}

/** Entries of each cache: of accepted and of refused tokens. */
const CACHE_SIZE = 10_000

/** Period of a rate limiting binding, at most. */
const LIMITER_SECONDS = 60

/** A cached lookup: its start and its expiry in Unix milliseconds. */
interface Lookup {
  since: number
  until: number
}

interface Refused extends Lookup {
  code: 'AUTH_FAILED' | 'RATE_LIMITED'
}

/** A clock that was set back ends a lookup, too. */
const isFresh = ({ since, until }: Lookup, now: number) => since <= now && now < until

/**
 * Caches completed lookups; a request never waits for the lookup of another request. A cache entry expires relative to the
 * start of its lookup: a revoked token is refused after at most `trustedMs`. Refusals are cached for TOKEN_LIMITS.trustedMs, because core
 * stores a new token before its owner receives it. TOKEN_LIMITS.unknownTokensPerSecond bounds the lookups of unknown tokens of a network.
 */
export function authenticator(options: AuthenticateOptions): Authenticate {
  const { core, trustedMs = TOKEN_LIMITS.trustedMs, rateLimiter, now = environment.now } = options
  const callers = new Map<string, Lookup & { caller: Caller }>()
  const refused = new Map<string, Refused>()
  const allowances = callerAllowances(TOKEN_LIMITS.unknownTokensPerSecond)

  const lookUp = async (hash: string, unknownTokens: RateAllowance): Promise<Caller> => {
    const startedAt = now()
    const known = refused.get(hash)
    if (known && isFresh(known, startedAt)) throw refusal(known, startedAt)
    const wait = callers.has(hash) ? 0 : unknownTokens.wait(startedAt)
    if (wait > 0) throw new ServiceError('RATE_LIMITED', { retryAfter: Math.ceil(wait) })
    try {
      const { trustMs, ...caller } = (await core.call('caller', { tokenHash: hash })).response
      const until = startedAt + Math.min(trustMs, trustedMs)
      remember(callers, hash, { caller, since: startedAt, until })
      return caller
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      rememberRefusal(hash, error, startedAt)
      // At the time of the answer: an earlier time would refill the same interval twice.
      if (error.code === 'AUTH_FAILED') unknownTokens.spend(now())
      throw error.code === 'AUTH_FAILED' ? unknownToken() : error
    }
  }

  const rememberRefusal = (hash: string, { code, detail }: ServiceError, startedAt: number) => {
    if (code === 'RATE_LIMITED')
      remember(refused, hash, {
        code,
        since: startedAt,
        until: startedAt + (detail.retryAfter ?? 0) * 1000,
      })
    if (code !== 'AUTH_FAILED') return
    callers.delete(hash)
    remember(refused, hash, { code, since: startedAt, until: startedAt + TOKEN_LIMITS.trustedMs })
  }

  return async ({ authorization, session, network }) => {
    const hash = session === undefined ? await presentedHash(authorization) : await sessionHash(session)
    const known = callers.get(hash)
    const caller = known && isFresh(known, now()) ? known.caller : await lookUp(hash, allowances(network))
    // A token in a cookie would act as a session without a sign-in. A session in a header would avoid the CSRF token.
    if ((caller.user !== undefined) !== (session !== undefined)) throw unknownToken()
    const verdict = (await rateLimiter?.limit({ key: caller.token })) ?? { success: true }
    if (!verdict.success) throw new ServiceError('RATE_LIMITED', { retryAfter: LIMITER_SECONDS })
    return caller
  }
}

const refusal = ({ code, until }: Refused, now: number) =>
  code === 'AUTH_FAILED'
    ? unknownToken()
    : new ServiceError(code, { retryAfter: Math.ceil((until - now) / 1000) })

const EXPECTED = 'Expected the header "Authorization: Token <token>" or "Authorization: Bearer <token>".'

const authFailed = (fault: string) => new ServiceError('AUTH_FAILED', { reason: `${fault} ${EXPECTED}` })

/** One reason for all of these: callers do not learn which tokens existed. */
const unknownToken = () => authFailed('The token is unknown, revoked or expired.')

const endedSession = () =>
  new ServiceError('AUTH_FAILED', { reason: 'The session has ended. Sign in again.' })

async function sessionHash(session: string) {
  const hash = await tokenHash(session)
  if (hash === undefined) throw endedSession()
  return hash
}

function remember<Value>(all: Map<string, Value>, hash: string, value: Value) {
  if (all.size >= CACHE_SIZE) all.clear()
  all.set(hash, value)
}

/**
 * The hash of the token in the header: after `Token` or `Bearer` in any case, or alone. A malformed token is refused without a
 * lookup. The response time reveals no secret, because the check digits of a token are public.
 */
async function presentedHash(authorization = '') {
  const words = authorization.trim().split(/\s+/)
  const [token = '', ...rest] = /^(?:token|bearer)$/i.test(words[0]!) ? words.slice(1) : words
  if (token === '') throw authFailed('The token is missing.')
  const hash = rest.length === 0 ? await tokenHash(token) : undefined
  if (hash === undefined)
    throw authFailed('The token is malformed: it is "mien_" and 46 letters and digits, copied whole.')
  return hash
}
