/** Which addresses a photo may be fetched from: those of the public internet. */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** All IPv6 addresses that were ever handed out to networks lie in here; the rest is special or reserved. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Public by its number, but answered by the host machine of a cloud (Azure's wire server). */
const CLOUD_HOST = '168.63.129.16'

/**
 * True when a connection to this address leaves for the public internet. An address that wraps another one (v4-mapped,
 * NAT64, 6to4, Teredo) is refused whole: what it wraps may be a host inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text === CLOUD_HOST) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_IPV6) && !isIsatap(address))
}

/** RFC 5214: whatever its network, such an address wraps one of IPv4. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)

/**
 * True when the address is one of this machine's: what it offers there may be shut off from others, and is not from
 * itself. Which machines around it have public addresses nobody can tell.
 */
export const isOwnAddress = (text: string, interfaces = networkInterfaces()): boolean =>
  ipaddr.isValid(text) &&
  Object.values(interfaces)
    .flatMap(addresses => addresses ?? [])
    .some(({ address }) => ipaddr.isValid(address) && sameAddress(ipaddr.parse(address), ipaddr.parse(text)))

const sameAddress = (one: ipaddr.IPv4 | ipaddr.IPv6, other: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  one.toNormalizedString() === other.toNormalizedString()
