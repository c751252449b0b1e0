/** Names the network of a caller, for bounds on requests without an accepted token. */

/** Cloudflare and the proxy of `mien edge` set it, and drop the one that a caller sends. */
const ADDRESS_HEADER = 'cf-connecting-ip'

/** The IPv4 address of the caller, or the /64 of an IPv6 address: one caller has all of its addresses. "" when it is unknown. */
export function callerNetwork({ headers }: Pick<Request, 'headers'>): string {
  const address = headers.get(ADDRESS_HEADER) ?? ''
  if (!address.includes(':')) return address
  const halves = address.replace(/\d+(\.\d+){3}$/, '0:0').split('::')
  const [before = [], after = []] = halves.map(half => half.split(':').filter(Boolean))
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')
}
