/** Normalizes the target and the Host of requests, encodes targets that Node would refuse, and refuses invalid ones. */
import type { Server } from 'node:http'
import { ServiceError } from '../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'

interface Target {
  /** Path and query as browsers send them: without dot segments and backslashes. Other bytes stay unchanged. */
  path: string
  host: string
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is

/** Characters that no host name or address contains. */
const NOT_IN_HOST = /[\s/?#@\\]/

/**
 * Target and Host of a request. `http://host/path` is equivalent to `/path` with that Host. `hosts` are all Host
 * headers; HTTP/1.0 requests without one use `self`. Throws BAD_REQUEST and NOT_FOUND.
 */
export function targetOf(
  { url, hosts, version }: { url: string; hosts: readonly string[]; version: string },
  self: string,
): Target {
  if (hosts.length > 1) throw badRequest('The request has several Host headers; send one.')
  if (hosts.length === 0 && version !== '1.0') throw badRequest('The Host header is missing.')
  const [, authority, rest] = ABSOLUTE.exec(url) ?? []
  const host = authority ?? hosts[0] ?? self
  if (!isHost(host) || !hosts.every(isHost))
    throw badRequest('The Host header is not a host name or an address with an optional port.')
  const path = authority === undefined ? url : rest!.startsWith('/') ? rest! : `/${rest}`
  if (!path.startsWith('/')) throw badRequest('The request target is neither a path nor an http URL.')
  if (isDevelopmentPath(path)) throw new ServiceError('NOT_FOUND')
  // The worker matches routes before it resolves dot segments: `/pictures/../x` must not match as a picture.
  const { pathname, search } = new URL(`http://${host}${path}`)
  return { path: pathname + search, host }
}

const badRequest = (reason: string) => new ServiceError('BAD_REQUEST', { reason })

export const isHost = (host: string): boolean =>
  host !== '' && !NOT_IN_HOST.test(host) && URL.canParse(`http://${host}/`)

/** Whether a path is /cdn-cgi or below it, in any spelling: Cloudflare and its development tools serve this path. */
function isDevelopmentPath(target: string) {
  const [path = ''] = target.split(/[?#]/, 1)
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const segments: string[] = []
  for (const segment of decoded.split(/[\\/]/)) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments[0]?.toLowerCase() === 'cdn-cgi'
}

const LINE_END = 0x0a
const FIRST_NON_ASCII = 0x80

/**
 * Percent-encodes non-ASCII bytes in the first line of each connection before the server parses it: curl sends
 * `/v0/face/meta/José` as typed, which Node's parser refuses. Later requests of a connection cannot be encoded: only the parser
 * knows where they begin. A connection on which nothing arrives for REQUEST_LIMITS.callerRestMs ends without an answer: a client may
 * have opened it ahead, and would read an answer as that to its first request.
 */
export function encodeFirstLines(server: Server): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', socket => {
    const hangUp = () => socket.destroy()
    socket.once('error', hangUp)
    socket.setTimeout(REQUEST_LIMITS.callerRestMs, hangUp)
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null
      // The stream leaves the mode of the `readable` listener at the end of the tick.
      setImmediate(() => {
        if (socket.destroyed) return
        socket.off('error', hangUp)
        socket.setTimeout(0, hangUp)
        if (first) socket.unshift(withEncodedLine(first))
        for (const listener of listeners) listener.call(server, socket)
      })
    })
  })
}

/** Returns the bytes with non-ASCII bytes of the first line percent-encoded. */
function withEncodedLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(LINE_END)
  const line = bytes.subarray(0, end < 0 ? bytes.length : end)
  if (line.every(byte => byte < FIRST_NON_ASCII)) return bytes
  const encoded = line
    .toString('latin1')
    .replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return Buffer.concat([Buffer.from(encoded, 'latin1'), bytes.subarray(line.length)])
}

/** The origin of a server on this address. A wildcard address becomes loopback. */
export function originOf(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
