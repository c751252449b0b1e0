/** Sends one HTTP request to a URL of a caller: to its checked addresses, and to no other. */
import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, type OutgoingHttpHeaders, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { environment } from '../../contract/environment.ts'
import { PROVIDER_LIMITS } from '../../contract/limits/tokens.ts'
import { nameServers, systemNames } from './name-servers.ts'
import { type Guard, type Names, portOf, reachableAddresses, webUrl } from './target.ts'

interface GuardedRequest {
  names: Names
  guard: Guard
  headers: OutgoingHttpHeaders
  /** Sent with POST. Absent: GET. */
  body?: Buffer
  maxHeaderBytes: number
  /** Milliseconds to connect. */
  connectMs: number
  /** Aborts the request and its response. */
  signal: AbortSignal
}

/**
 * The head of the response. Redirects are not followed. Rejects without a response, and for a URL that may not be reached (see
 * target.ts).
 */
export async function sendGuarded(
  text: string,
  { names, guard, ...request }: GuardedRequest,
): Promise<IncomingMessage> {
  const url = webUrl(text)
  const addresses = reachableAddresses(url, names, guard, request.signal)
  return sendPinned(url, await untilAborted(addresses, request.signal), request)
}

/**
 * Sends requests with the trust of an operator who named this URL: to its host at any address, and to other hosts at public
 * addresses only. Resolves with the whole response, and rejects when it is larger than PROVIDER_LIMITS allow.
 */
export function operatorTrusted(named: URL) {
  const names = { resolve: nameServers(), resolveTrusted: systemNames() }
  const guard = { trustedHosts: new Set([`${named.hostname}:${portOf(named)}`]) }
  return async (
    url: string,
    { headers, ...request }: Pick<GuardedRequest, 'headers' | 'body' | 'signal'>,
  ): Promise<{ status: number; type: string; text: string }> => {
    const response = await sendGuarded(url, {
      ...request,
      names,
      guard,
      headers: { ...headers, 'accept-encoding': 'identity' },
      maxHeaderBytes: PROVIDER_LIMITS.headerBytes,
      connectMs: PROVIDER_LIMITS.requestMs,
    })
    let text = ''
    for await (const part of response.setEncoding('utf8')) {
      text += part
      if (text.length > PROVIDER_LIMITS.length) throw new Error('too long an answer')
    }
    // A body without a length ends with its connection, which the signal closes.
    request.signal.throwIfAborted()
    return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }
  }
}

/** Rejects when the signal aborts first: the system's resolver has a longer timeout. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** The connection goes to one of the addresses. A later change of the name's address has no effect. */
function sendPinned(
  url: URL,
  addresses: LookupAddress[],
  { headers, body, maxHeaderBytes, connectMs, signal }: Omit<GuardedRequest, 'names' | 'guard'>,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (secure ? overHttps : overHttp)(url, {
      method: body ? 'POST' : 'GET',
      agent: false,
      lookup: pinned(addresses),
      headers: { ...headers, ...(body && { 'content-length': body.length }), 'user-agent': 'mien' },
      maxHeaderSize: maxHeaderBytes,
      signal,
    })
    const connecting = environment.timer(() => request.destroy(new Error('no connection in time')), connectMs)
    request.once('socket', socket => {
      socket.once(secure ? 'secureConnect' : 'connect', () => connecting.cancel())
    })
    request.once('close', () => {
      connecting.cancel()
      // A response that switches protocols emits neither `response` nor `error`.
      reject(new Error('no answer'))
    })
    request.on('error', reject)
    request.once('response', resolve)
    request.end(body)
  })
}

/** A resolver that always returns these addresses. */
const pinned =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
