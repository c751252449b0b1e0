/** Access control of the store interface: local programs, or the operator token. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { ServiceError } from '../../../contract/errors.ts'
import { isLoopbackAddress, isLoopbackHost } from '../../network/addresses.ts'

/** Settings of the access control. */
export interface OperatorAccess {
  /** The host that core is bound to. */
  host: string
  /** Required when core is bound to more than loopback. */
  operatorToken: string | undefined
}

/** Headers of indirect requests: `origin` comes from web pages, the others from proxies. */
const INDIRECT_HEADERS = ['origin', 'forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/**
 * Throws AUTH_FAILED for a wrong token, or a missing one where it is required. Without a token, throws FORBIDDEN for requests
 * that no program of this machine sent directly.
 */
export function operatorOnly({ host, operatorToken }: OperatorAccess): MiddlewareHandler {
  const isLoopbackBound = isLoopbackHost(host)
  const expectedHash = operatorToken === undefined ? undefined : hashOf(operatorToken)
  return async (context, next) => {
    const authorization = context.req.header('authorization')
    if (authorization !== undefined || !isLoopbackBound) requireToken(authorization, expectedHash)
    else if (!isLocalProgram(context)) throw new ServiceError('FORBIDDEN', { reason: NOT_LOCAL })
    await next()
  }
}

const NOT_LOCAL = 'Without a token, only programs of the same machine may ask, and under its loopback names.'

function requireToken(authorization: string | undefined, expectedHash: Buffer | undefined) {
  const [, token] = /^(?:Bearer|Token) (\S+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined || !expectedHash || !timingSafeEqual(hashOf(token), expectedHash)) {
    throw new ServiceError('AUTH_FAILED')
  }
}

/** Hashes have equal length. Their comparison reveals neither length nor prefix of the token. */
const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Web pages in a local browser can also reach loopback: by its address, or by a DNS name that resolves to it. */
function isLocalProgram({ req, env }: Context<{ Bindings: Partial<HttpBindings> }>) {
  const address = env?.incoming?.socket.remoteAddress ?? ''
  // Browsers send this header. `none` is a request by the user, for example from the address bar.
  const fetchSite = req.header('sec-fetch-site') ?? 'none'
  const name = (req.header('host') ?? '').replace(/:\d{1,5}$/, '')
  return (
    isLoopbackAddress(address) &&
    isLoopbackHost(name) &&
    fetchSite === 'none' &&
    INDIRECT_HEADERS.every(header => req.header(header) === undefined)
  )
}
