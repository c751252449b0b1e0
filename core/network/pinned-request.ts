/** Sends one HTTP request to checked addresses, and to no other. */
import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, type OutgoingHttpHeaders, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

interface PinnedRequest {
  /** The connection goes to one of these. A later change of the name's address has no effect. */
  addresses: LookupAddress[]
  headers: OutgoingHttpHeaders
  /** Sent with POST. Absent: GET. */
  body?: Buffer
  maxHeaderBytes: number
  /** Milliseconds to connect. */
  connectMs: number
  /** Aborts the request and its response. */
  signal: AbortSignal
}

/** The head of the response. Redirects are not followed. Rejects without a response. */
export function sendPinned(
  url: URL,
  { addresses, headers, body, maxHeaderBytes, connectMs, signal }: PinnedRequest,
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
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), connectMs)
    request.once('socket', socket => {
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
    })
    request.once('close', () => {
      clearTimeout(connecting)
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
