/** Selects the headers that are forwarded between callers and workers. */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { isHost } from './target.ts'

/** Headers in Node's raw form: name, value, name, value. */
export type RawHeaders = string[]

/** Headers of one connection (RFC 9110, section 7.6.1), and headers that the proxy handles itself. */
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

/** Headers about proxies on the path, and internal headers of development tools and Cloudflare. */
const INTERNAL = /^(?:forwarded$|x-forwarded-|x-real-ip$|x-mien-|mf-|cf-)/

/** `Connection` cannot remove these headers: the worker needs them. */
const REQUIRED_HEADERS = new Set(['host', 'content-length'])

/** Tells whether an address is a trusted proxy. */
type IsTrusted = (address: string | undefined) => boolean

/**
 * Headers for the worker: the caller's headers without connection headers and internal ones, and the caller's address as Cloudflare
 * names it. Address, scheme and host come from trusted proxies.
 */
export function headersForWorker(request: IncomingMessage, host: string, isTrusted: IsTrusted): RawHeaders {
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
    'CF-Connecting-IP',
    callerAddress(request, isTrusted),
    ...(isTrusted(request.socket.remoteAddress) ? forwarded(request) : []),
  ]
}

/** Headers for the caller: the worker's headers without connection headers. */
export function headersForCaller(response: IncomingMessage): RawHeaders {
  const dropped = namedByConnection(response)
  return pairs(response.rawHeaders)
    .filter(([name]) => !dropped.has(name))
    .flatMap(([, ...pair]) => pair)
}

/** All values of a header, in order. */
export const valuesOf = (rawHeaders: RawHeaders, name: string): string[] =>
  pairs(rawHeaders)
    .filter(([lower]) => lower === name)
    .map(([, , value]) => value)

/** Triples of lower-case name, name and value. */
const pairs = (raw: RawHeaders): [string, string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!.toLowerCase(), raw[2 * i]!, raw[2 * i + 1]!])

function namedByConnection({ headers }: IncomingMessage): Set<string> {
  const named = (headers.connection ?? '').split(',').map(name => name.trim().toLowerCase())
  return new Set([...CONNECTION_HEADERS, ...named.filter(name => !REQUIRED_HEADERS.has(name))])
}

/**
 * The address of the caller: the last address that is no trusted proxy. Each proxy adds the address of its caller to
 * X-Forwarded-For. Callers can forge earlier addresses. A text that is no address ends the search: the nearer address counts.
 */
function callerAddress({ socket, headers }: IncomingMessage, isTrusted: IsTrusted) {
  let address = addressIn(socket.remoteAddress) ?? ''
  const hops = String(headers['x-forwarded-for'] ?? '').split(',')
  while (isTrusted(address)) {
    const next = addressIn(hops.pop())
    if (next === undefined) break
    address = next
  }
  return address
}

/** The address in a text that may have a port; undefined without one. An IPv4 address in IPv6 notation becomes IPv4. */
function addressIn(text = ''): string | undefined {
  const [, bracketed, plain] = /^\s*(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)\s*$/.exec(text) ?? []
  const address = bracketed ?? plain ?? text.trim()
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined
}

/** The first of several valid values: proxies append values, and the first is from the proxy nearest to the caller. */
function forwarded({ headers }: IncomingMessage): RawHeaders {
  const first = (name: string, isValid: (value: string) => boolean) =>
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
 * Parses a list of addresses and CIDR blocks, separated by commas or spaces; `loopback` means 127.0.0.0/8 and ::1.
 * Returns a function that tests whether an address is in the list. Throws an Error that names an invalid entry.
 */
export function trustedProxies(list: string): IsTrusted {
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
    // The error below names the entry.
  }
  throw new Error(
    `--trusted-proxies: expected addresses, CIDR blocks such as 10.0.0.0/8, or "loopback"; got "${entry}".`,
  )
}
