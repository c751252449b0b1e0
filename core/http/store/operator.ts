/** Who may use the store's own interface: operators of this machine, and whoever has the operators' token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { isLoopbackAddress, isLoopbackHost } from '../../configuration/loopback.ts'
import { ServiceError } from '../../contract/errors.ts'

export interface OperatorAccess {
  /** The host that core is bound to. */
  host: string
  /** There is one wherever core is bound to more than loopback. */
  operatorToken: string | undefined
}

/** Headers that no program of an operator sends: the first is a web page's, the others are put on by proxies. */
const NOT_FROM_HERE = ['origin', 'forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/**
 * Refuses with AUTH_FAILED a wrong token, and its lack where one is needed; and with FORBIDDEN what reaches loopback
 * without being sent by a program of this machine.
 */
export function operatorOnly({ host, operatorToken }: OperatorAccess): MiddlewareHandler {
  const here = isLoopbackHost(host)
  const right = operatorToken === undefined ? undefined : hashOf(operatorToken)
  return async (context, next) => {
    const authorization = context.req.header('authorization')
    if (authorization !== undefined || !here) requireToken(authorization, right)
    else if (!isFromHere(context)) throw new ServiceError('FORBIDDEN', { reason: ELSEWHERE })
    await next()
  }
}

const ELSEWHERE = 'Without a token, only programs of the same machine may ask, and under its loopback names.'

function requireToken(authorization: string | undefined, right: Buffer | undefined): void {
  const [, token] = /^(?:Bearer|Token) (\S+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined || !right || !timingSafeEqual(hashOf(token), right)) {
    throw new ServiceError('AUTH_FAILED')
  }
}

/** Hashes are of one length, so that comparing them tells nothing of how the token begins or how long it is. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A page in a browser of this machine can reach loopback too: by its address, or by a name that leads there. */
function isFromHere({ req, env }: Context<{ Bindings: Partial<HttpBindings> }>): boolean {
  const address = env?.incoming?.socket.remoteAddress ?? ''
  // What a browser says of who makes it ask: `none` is the operator, by hand.
  const asker = req.header('sec-fetch-site') ?? 'none'
  const name = (req.header('host') ?? '').replace(/:\d{1,5}$/, '')
  return (
    isLoopbackAddress(address) &&
    isLoopbackHost(name) &&
    asker === 'none' &&
    NOT_FROM_HERE.every(header => req.header(header) === undefined)
  )
}
