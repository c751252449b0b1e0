/** Where a photo URL leads: the addresses that may be connected to. */
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { LIMITS } from '../contract/limits.ts'
import { isOwnAddress, isPublicAddress } from './addresses.ts'
import type { Resolve } from './name-servers.ts'

export interface Names {
  /** The names of callers. */
  resolve: Resolve
  /** The names of trusted hosts. */
  resolveTrusted: Resolve
}

export interface Guard {
  /** `host:port`, exactly: these are trusted at any address. For the operator's own picture servers. */
  trustedHosts?: ReadonlySet<string> | undefined
  /** Whether an address is one of this machine's; as its network interfaces say unless given. */
  isOwn?: ((address: string) => boolean) | undefined
}

/** The URL, if it is one that photos may have. */
export function webUrl(text: string): URL {
  if (text.length > LIMITS.photoNameLength) throw new Error('too long an address')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('not a web address')
  if (url.username !== '' || url.password !== '') throw new Error('credentials in the address')
  return url
}

/**
 * The addresses of the URL's host, as many as may be tried. All that the host has are public, unless it is trusted. The
 * bounds keep a name with thousands of addresses from making this machine knock at thousands of doors.
 */
export async function reachableAddresses(
  url: URL,
  { resolve, resolveTrusted }: Names,
  { trustedHosts, isOwn = ownNow() }: Guard,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isTrusted = trustedHosts?.has(`${url.hostname}:${portOf(url)}`) ?? false
  const family = isIP(host)
  const addresses = family
    ? [{ address: host, family }]
    : await (isTrusted ? resolveTrusted : resolve)(host.replace(/\.$/, ''), signal)
  const isAllowed = ({ address }: LookupAddress) => isPublicAddress(address) && !isOwn(address)
  if (addresses.length === 0 || addresses.length > LIMITS.hostAddresses) throw new Error('not one host')
  if (!isTrusted && !addresses.every(isAllowed)) throw new Error('not a public address')
  return addresses.slice(0, LIMITS.hostAttempts)
}

/** The addresses of this machine's interfaces as they are now. */
const ownNow = (): ((address: string) => boolean) => {
  const interfaces = networkInterfaces()
  return address => isOwnAddress(address, interfaces)
}

const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')
