/** The cookies of a session and of a sign-in at a provider, and the CSRF token. */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { sha256 } from '../../contract/digest.ts'
import { ServiceError } from '../../contract/errors.ts'
import { PROVIDER_LIMITS, TOKEN_LIMITS } from '../../contract/limits/tokens.ts'
import type { Caller } from '../../contract/operations/operation.ts'
import { callerNetwork } from '../admission/caller-network.ts'
import type { EdgeServices } from '../edge-services.ts'
import type { EdgeContext } from '../http/context.ts'

/** Header of requests with a session. A page of another site can neither read the value nor send the header. */
const CSRF_HEADER = 'x-csrf-token'

/** A browser accepts the prefix `__Host-` only over https, from this host itself, for all paths. */
const cookieOf = (context: EdgeContext, name = 'mien') => {
  const isSecure = context.get('origin').startsWith('https:')
  return {
    name: isSecure ? `__Host-${name}` : name,
    attributes: { httpOnly: true, sameSite: 'Strict', secure: isSecure, path: '/' } as const,
  }
}

/** Text of the session in the cookie; undefined without one. */
export const sessionIn = (context: EdgeContext): string | undefined =>
  getCookie(context, cookieOf(context).name) || undefined

export function keepSession(context: EdgeContext, session: string): void {
  const { name, attributes } = cookieOf(context)
  setCookie(context, name, session, { ...attributes, maxAge: TOKEN_LIMITS.sessionMs / 1000 })
}

export function forgetSession(context: EdgeContext): void {
  const { name, attributes } = cookieOf(context)
  deleteCookie(context, name, attributes)
}

const ATTEMPT = 'mien-sign-in'

/** The secret of a browser that is signing in at a provider; undefined without one. */
export const attemptIn = (context: EdgeContext): string | undefined =>
  getCookie(context, cookieOf(context, ATTEMPT).name)

/** The page of the console sends the cookie itself, when the provider has sent the browser back: `Strict` is no hindrance. */
export function keepAttempt(context: EdgeContext, attempt: string): void {
  const { name, attributes } = cookieOf(context, ATTEMPT)
  setCookie(context, name, attempt, { ...attributes, maxAge: PROVIDER_LIMITS.attemptMs / 1000 })
}

/** The CSRF token of a session: a hash that reveals nothing about the session. */
export const csrfTokenOf = (session: string): Promise<string> => sha256(`mien csrf ${session}`)

/** Throws FORBIDDEN for a request with the cookie that the page of the console did not send. */
export async function requireCsrfToken({ req }: EdgeContext, session: string): Promise<void> {
  if (req.header(CSRF_HEADER) === (await csrfTokenOf(session))) return
  throw new ServiceError('FORBIDDEN', {
    reason: 'The header X-CSRF-Token is missing or does not belong to the session. Load the page again.',
  })
}

/** The caller of a session. Throws AUTH_FAILED for an ended session. */
export const sessionCaller = (
  { authenticate }: EdgeServices,
  { req }: EdgeContext,
  session: string,
): Promise<Caller> => authenticate({ session, network: callerNetwork(req.raw) })
