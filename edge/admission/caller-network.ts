/** Networks of callers, and rate limits by them of callers without an accepted token. */
import { type RateAllowance, rateAllowance } from '../../contract/rate-allowance.ts'

/** Networks that are remembered. */
const NETWORKS = 10_000

/** All networks together have the allowance of five. It bounds the work, and one network cannot use it up. */
const NETWORKS_AT_ONCE = 5

/** All networks of an IPv6 site (/48) have the allowance of two: one site cannot use up the allowance of all networks. */
const SITE_NETWORKS_AT_ONCE = 2

/** Groups of an IPv6 network that name its site. */
const SITE = /^(?:[^:]*:){3}/

/** Returns the allowance of a network: `perSecond` requests per second. */
export function callerAllowances(perSecond: number): (network: string) => RateAllowance {
  const all = rateAllowance(perSecond * NETWORKS_AT_ONCE)
  const known = new Map<string, RateAllowance>()
  const allowanceOf = (name: string, rate: number): RateAllowance => {
    const allowance = known.get(name) ?? rateAllowance(rate)
    if (known.size >= NETWORKS) known.clear()
    known.set(name, allowance)
    return allowance
  }
  return network => {
    const bounds = [allowanceOf(network, perSecond), all]
    const site = SITE.exec(network)?.[0]
    if (site) bounds.push(allowanceOf(site, perSecond * SITE_NETWORKS_AT_ONCE))
    return {
      wait: now => Math.max(...bounds.map(bound => bound.wait(now))),
      spend: now => bounds.forEach(bound => void bound.spend(now)),
    }
  }
}

/** Cloudflare and the proxy of `mien edge` set it, and drop the caller's. */
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
