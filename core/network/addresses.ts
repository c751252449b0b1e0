/** Classifies addresses: public ones, which a request may reach, own addresses of the machine, and loopback. */

import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** All globally routable IPv6 addresses are in this range; other ranges are special or reserved. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** A public address at which the host machine of a cloud responds (Azure's WireServer). */
const CLOUD_HOST = '168.63.129.16'

/**
 * True when a connection to this address goes to the public internet. Addresses that embed another one (v4-mapped,
 * NAT64, 6to4, Teredo) are refused: the embedded address may be internal.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text === CLOUD_HOST) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_IPV6) && !isIsatap(address))
}

/** ISATAP addresses (RFC 5214) embed an IPv4 address in any network. */
const isIsatap = ({ parts }: ipaddr.IPv6) => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)

/**
 * True when the address belongs to this machine: a firewall may block its services from outside, but not from the
 * machine itself. Other machines of the site with public addresses cannot be recognized.
 */
export const isOwnAddress = (text: string, interfaces = networkInterfaces()): boolean =>
  ipaddr.isValid(text) &&
  Object.values(interfaces)
    .flatMap(addresses => addresses ?? [])
    .some(({ address }) => ipaddr.isValid(address) && sameAddress(ipaddr.parse(address), ipaddr.parse(text)))

const sameAddress = (one: ipaddr.IPv4 | ipaddr.IPv6, other: ipaddr.IPv4 | ipaddr.IPv6) =>
  one.toNormalizedString() === other.toNormalizedString()

/** Text of the network that one caller has: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address = ''): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/

/** Whether this is a loopback address, in the notation of sockets. */
export const isLoopbackAddress = (address: string): boolean => LOOPBACK_ADDRESS.test(address)

/** Whether a server on this host name or address is reachable only from its own machine. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))
