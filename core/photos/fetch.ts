/** Fetches a photo from a public URL, and from nowhere else. */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import { isOwnAddress, isPublicAddress } from './addresses.ts'

export interface FetchOptions {
  /** `host:port`, exactly: these are trusted with whatever address they have. For one's own picture servers. */
  trustedHosts?: ReadonlySet<string>
  /** A name's addresses; the system's resolver unless given. */
  resolve?: (host: string) => Promise<LookupAddress[]>
  /** Whether an address is one of this machine's; as its network interfaces say unless given. */
  isOwn?: (address: string) => boolean
  /** Milliseconds to connect, and from the first step to the last byte. */
  connectMs?: number
  totalMs?: number
}

export type FetchPhoto = (url: string) => Promise<Uint8Array>

const systemResolver = (host: string): Promise<LookupAddress[]> => lookup(host, { all: true })

/**
 * A function that fetches the photo at a URL. Throws PHOTO_TOO_LARGE when it has more than LIMITS.photoBytes, and
 * PHOTO_UNREACHABLE, which does not tell one reason from another, for every other failure. While LIMITS.photoFetches are
 * under way it throws SERVICE_UNAVAILABLE: each may hold a whole photo.
 */
export function photoFetcher(options: FetchOptions = {}): FetchPhoto {
  let underWay = 0
  return async url => {
    if (underWay >= LIMITS.photoFetches) throw new ServiceError('SERVICE_UNAVAILABLE')
    underWay++
    // One deadline for all steps: a server that sends a byte a second gets no more time than one that is silent.
    const signal = AbortSignal.timeout(options.totalMs ?? LIMITS.photoFetchMs)
    try {
      const target = webUrl(url)
      const addresses = await withDeadline(reachableAddresses(target, options), signal)
      return await bodyOf(
        await respond(target, addresses, options.connectMs ?? LIMITS.photoConnectMs, signal),
      )
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError('PHOTO_UNREACHABLE', {}, { cause: error })
    } finally {
      underWay--
    }
  }
}

function webUrl(text: string): URL {
  if (text.length > LIMITS.photoNameLength) throw new Error('too long an address')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('not a web address')
  if (url.username !== '' || url.password !== '') throw new Error('credentials in the address')
  return url
}

/** The addresses of the URL's host, all of them public unless the host is trusted. */
async function reachableAddresses(url: URL, options: FetchOptions): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  const addresses = family
    ? [{ address: host, family }]
    : await (options.resolve ?? systemResolver)(host.replace(/\.$/, ''))
  if (options.trustedHosts?.has(`${url.hostname}:${portOf(url)}`)) return addresses
  const isOwn = options.isOwn ?? isOwnAddress
  const isAllowed = ({ address }: LookupAddress) => isPublicAddress(address) && !isOwn(address)
  if (addresses.length === 0 || !addresses.every(isAllowed)) {
    throw new Error('not a public address')
  }
  return addresses
}

const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')

/** The answer's head. Connects to these very addresses: a name that means another host by now is of no use. */
function respond(
  url: URL,
  addresses: LookupAddress[],
  connectMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (secure ? overHttps : overHttp)(url, {
      agent: false,
      lookup: pinned(addresses),
      headers: {
        accept: 'image/jpeg, image/png, image/webp',
        // Nothing is inflated here: what comes compressed all the same is no photo.
        'accept-encoding': 'identity',
        'user-agent': 'mien',
      },
      maxHeaderSize: LIMITS.photoHeaderBytes,
      signal,
    })
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), connectMs)
    request.once('socket', socket => {
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
    })
    request.once('close', () => {
      clearTimeout(connecting)
      // An answer that switches protocols is none, and no error either.
      reject(new Error('no answer'))
    })
    request.once('error', reject)
    request.once('response', resolve)
    request.end()
  })
}

/** A resolver that knows one answer. */
const pinned =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  }

async function bodyOf(response: IncomingMessage): Promise<Uint8Array> {
  try {
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    if (Number(response.headers['content-length'] ?? 0) > LIMITS.photoBytes) throw tooLarge()
    const parts: Buffer[] = []
    let length = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length
      if (length > LIMITS.photoBytes) throw tooLarge()
      parts.push(part)
    }
    return Buffer.concat(parts, length)
  } finally {
    response.destroy()
  }
}

const tooLarge = (): ServiceError => new ServiceError('PHOTO_TOO_LARGE')

/** The promise, unless the signal comes first: name servers keep their own, longer time. */
function withDeadline<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}
