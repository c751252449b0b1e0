/** Who is calling: the `Authorization` header with a token (`Token <key>` or `Bearer <key>`) -> caller, believed for seconds. */

import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import type { Scope } from '../../core/contract/model/scope.ts'
import { tokenHash } from '../../core/contract/model/token.ts'
import { rateAllowance } from '../../core/contract/rate-allowance.ts'
import type { Core } from '../core-client/core-client.ts'

export interface Caller {
  owner: string
  /** The id of the token. */
  token: string
  scope: Scope
  /** Gender, age and emotions may be asked for. */
  gae: boolean
}

/** Who asks for a change, in the words of a question to core. */
export const changedBy = ({ owner, token }: Caller): { owner: string; by: string } => ({ owner, by: token })

export type Authenticate = (authorization: string | null) => Promise<Caller>

/** What a Worker's rate limiting binding does. */
export interface RateLimiter {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

export interface AuthenticateOptions {
  core: Core
  /** How long core's word on a token is believed at most. */
  trustedMs?: number
  /** Where one is bound. */
  rateLimiter?: RateLimiter | undefined
  /** Unix milliseconds. */
  now?: () => number
}

/** Verdicts that are kept, of those who are let in and of those who are not. */
const REMEMBERED = 10_000

/** What a rate limiter says holds for a minute at most. */
const LIMITER_SECONDS = 60

/** Who is refused without a question to core, why, and until when. */
interface Refused {
  code: 'AUTH_FAILED' | 'RATE_LIMITED'
  until: number
}

/**
 * Only settled verdicts are kept: no request ever waits for another's look-up. A verdict counts from when core was asked,
 * so that nobody is let in who was revoked longer ago than it is believed. Those who are refused are remembered, too: a
 * new token is in nobody's hands before core knows it. Others who are not known may be wrong so many times a second.
 */
export function authenticator(options: AuthenticateOptions): Authenticate {
  const { core, trustedMs = LIMITS.tokenTrustedMs, rateLimiter, now = Date.now } = options
  const callers = new Map<string, { caller: Caller; until: number }>()
  const refused = new Map<string, Refused>()
  const strangers = rateAllowance(LIMITS.strangersPerSecond)

  const lookUp = async (hash: string): Promise<Caller> => {
    const asked = now()
    const known = refused.get(hash)
    if (known && known.until > asked) throw refusal(known, asked)
    const wait = callers.has(hash) ? 0 : strangers.wait(asked)
    if (wait > 0) throw new ServiceError('RATE_LIMITED', { retryAfter: Math.ceil(wait) })
    try {
      const { trustMs, ...caller } = (await core.ask('caller', { tokenHash: hash })).answer
      remember(callers, hash, { caller, until: asked + Math.min(trustMs, trustedMs) })
      return caller
    } catch (error) {
      if (error instanceof ServiceError) noteRefusal(hash, error, asked)
      throw error
    }
  }

  const noteRefusal = (hash: string, { code, detail }: ServiceError, asked: number): void => {
    if (code === 'RATE_LIMITED')
      remember(refused, hash, { code, until: asked + (detail.retryAfter ?? 0) * 1000 })
    if (code !== 'AUTH_FAILED') return
    callers.delete(hash)
    strangers.spend(asked)
    remember(refused, hash, { code, until: asked + trustedMs })
  }

  return async authorization => {
    const hash = await presentedHash(authorization)
    const known = callers.get(hash)
    const caller = known && known.until > now() ? known.caller : await lookUp(hash)
    const within = (await rateLimiter?.limit({ key: caller.token })) ?? { success: true }
    if (!within.success) throw new ServiceError('RATE_LIMITED', { retryAfter: LIMITER_SECONDS })
    return caller
  }
}

const refusal = ({ code, until }: Refused, now: number): ServiceError =>
  new ServiceError(code, code === 'RATE_LIMITED' ? { retryAfter: Math.ceil((until - now) / 1000) } : {})

function remember<Value>(all: Map<string, Value>, hash: string, value: Value): void {
  if (all.size >= REMEMBERED) all.clear()
  all.set(hash, value)
}

/**
 * The hash of the token in the header. The scheme's case does not matter. Garbage is refused without a look-up: how long
 * that takes tells nothing, for its check digits anybody can work out.
 */
async function presentedHash(authorization: string | null): Promise<string> {
  const token = /^\s*(?:token|bearer)\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1]
  const hash = token === undefined ? undefined : await tokenHash(token)
  if (hash === undefined) throw new ServiceError('AUTH_FAILED')
  return hash
}
