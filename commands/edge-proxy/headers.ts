/** Which headers travel between callers and workers. */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { isHost } from './target.ts'

/** Headers in the form that Node reads and writes: name, value, name, value. */
export type RawHeaders = string[]

/** Headers of one connection (RFC 9110, section 7.6.1), and those that the proxy answers itself. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that say something about the way of a request, and those that development tools and Cloudflare set. */
const INTERNAL = /^(?:forwarded$|x-forwarded-|x-real-ip$|mf-|cf-)/

/** The body has this length or these chunks: these headers are never named by `Connection`. */
const NEEDED = new Set(['host', 'content-length'])

/**
 * Headers for the worker: those of the caller without the ones of its connection and internal ones. Scheme and host that a
 * trusted proxy names are passed on.
 */
export function headersForWorker(request: IncomingMessage, host: string, isTrusted: boolean): RawHeaders {
  const dropped = namedByConnection(request)
  const kept = pairs(request.rawHeaders).filter(
    ([name]) => name !== 'host' && !dropped.has(name) && !INTERNAL.test(name),
  )
  const chunked = request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
  return [
    'Host',
    host,
    ...kept.flatMap(([, ...pair]) => pair),
    ...chunked,
    ...(isTrusted ? forwarded(request) : []),
  ]
}

/** Headers for the caller: those of the worker without the ones of its connection. */
export function headersForCaller(response: IncomingMessage): RawHeaders {
  const dropped = namedByConnection(response)
  return pairs(response.rawHeaders)
    .filter(([name]) => !dropped.has(name))
    .flatMap(([, ...pair]) => pair)
}

/** All values of a header, in their order. */
export const valuesOf = (rawHeaders: RawHeaders, name: string): string[] =>
  pairs(rawHeaders)
    .filter(([lower]) => lower === name)
    .map(([, , value]) => value)

/** Name in lower case, name, value. */
const pairs = (raw: RawHeaders): [string, string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!.toLowerCase(), raw[2 * i]!, raw[2 * i + 1]!])

function namedByConnection({ headers }: IncomingMessage): Set<string> {
  const named = (headers.connection ?? '').split(',').map(name => name.trim().toLowerCase())
  return new Set([...CONNECTION_HEADERS, ...named.filter(name => !NEEDED.has(name))])
}

/** Of several values the first valid one counts: proxies append theirs, so it is that of the proxy nearest to the caller. */
function forwarded({ headers }: IncomingMessage): RawHeaders {
  const first = (name: string, isValid: (value: string) => boolean): string | undefined =>
    String(headers[name] ?? '')
      .split(',')
      .map(value => value.trim())
      .find(isValid)
  const scheme = first('x-forwarded-proto', value => /^https?$/i.test(value))
  const host = first('x-forwarded-host', isHost)
  return [
    ...(scheme ? ['X-Forwarded-Proto', scheme.toLowerCase()] : []),
    ...(host ? ['X-Forwarded-Host', host] : []),
  ]
}

/**
 * Reads a list of addresses and CIDR blocks, with commas or spaces between; `loopback` means 127.0.0.0/8 and ::1. Returns
 * whether an address is in it. Throws an Error that names the entry that is none of these.
 */
export function trustedProxies(list: string): (address: string | undefined) => boolean {
  const entries = list.split(/[\s,]+/).filter(entry => entry !== '')
  const blocks = entries
    .flatMap(entry => (entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]))
    .map(blockOf)
  return address => {
    if (address === undefined || !ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return blocks.some(block => block[0].kind() === parsed.kind() && parsed.match(block))
  }
}

function blockOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
    if (ipaddr.IPv4.isValidFourPartDecimal(entry) || ipaddr.IPv6.isValid(entry)) {
      const address = ipaddr.process(entry)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    }
  } catch {
    // Named below.
  }
  throw new Error(
    `--trusted-proxies: expected addresses, CIDR blocks such as 10.0.0.0/8, or "loopback"; got "${entry}".`,
  )
}
