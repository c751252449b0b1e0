/** Limits requests to URLs of callers: addresses, to protect the private network (SSRF), and slots of each owner. */
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { isOwnAddress, isPublicAddress } from './addresses.ts'
import type { Resolve } from './name-servers.ts'

export interface Names {
  /** Resolves names that callers give. */
  resolve: Resolve
  /** Resolves names of trusted hosts. */
  resolveTrusted: Resolve
}

export interface Guard {
  /** `host:port`, matched exactly: trusted at any address, for the operator's own picture servers. */
  trustedHosts?: ReadonlySet<string>
  /** Whether an address belongs to this machine; by default, according to its network interfaces. */
  isOwn?: (address: string) => boolean
}

/**
 * Parses the URL of a photo. Throws an Error unless it is HTTP or HTTPS, without credentials, and within the length
 * limit.
 */
export function webUrl(text: string): URL {
  if (text.length > PHOTO_LIMITS.nameLength) throw new Error('too long an address')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('not a web address')
  if (url.username !== '' || url.password !== '') throw new Error('credentials in the address')
  return url
}

/** Whether webUrl parses it. */
export function isWebUrl(text: string): boolean {
  try {
    return webUrl(text).href.length > 0
  } catch {
    return false
  }
}

/** The address of a host is not public, and the host is not trusted. */
export class AddressRefused extends Error {}

/**
 * At most PHOTO_LIMITS.hostAttempts addresses of the URL's host. Throws AddressRefused unless all its addresses are public or
 * the host is trusted. PHOTO_LIMITS.hostAddresses and hostAttempts limit the connections that a name with thousands of addresses
 * can cause.
 */
export async function reachableAddresses(
  url: URL,
  { resolve, resolveTrusted }: Names,
  { trustedHosts, isOwn = currentOwn() }: Guard,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isTrusted = trustedHosts?.has(`${url.hostname}:${portOf(url)}`) ?? false
  const family = isIP(host)
  const addresses = family
    ? [{ address: host, family }]
    : await (isTrusted ? resolveTrusted : resolve)(host.replace(/\.$/, ''), signal)
  const isAllowed = ({ address }: LookupAddress) => isPublicAddress(address) && !isOwn(address)
  if (addresses.length === 0 || addresses.length > PHOTO_LIMITS.hostAddresses) throw new Error('not one host')
  if (!isTrusted && !addresses.every(isAllowed)) throw new AddressRefused('not a public address')
  return addresses.slice(0, PHOTO_LIMITS.hostAttempts)
}

/** Checks against the current addresses of this machine's interfaces. */
const currentOwn = (): ((address: string) => boolean) => {
  const interfaces = networkInterfaces()
  return address => isOwnAddress(address, interfaces)
}

export const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')

/** Releases a slot. */
export type Release = () => void

interface Shares {
  /** Takes a slot for this owner; undefined when none is left for them. */
  take(owner: string): Release | undefined
}

/**
 * An owner may hold at most as many slots as are free. A single owner gets half of the slots. When `n` owners take all they can,
 * each holds `total / (n + 1)`, and the same number is left for the next owner.
 */
export function shares(total: number): Shares {
  const held = new Map<string, number>()
  let free = total
  return {
    take(owner) {
      const own = held.get(owner) ?? 0
      if (own >= free) return undefined
      held.set(owner, own + 1)
      free--
      return () => {
        free++
        const left = held.get(owner)! - 1
        if (left === 0) held.delete(owner)
        else held.set(owner, left)
      }
    },
  }
}
