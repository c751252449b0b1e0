/** Resolves the names of trusted hosts as the system does: /etc/hosts, mDNS and other sources of NSS included. */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { concurrencyLimit } from '../contract/concurrency-limit.ts'
import { LIMITS } from '../contract/limits.ts'

/** The system's resolver takes too long. Its code is the one that the system has for this. */
export class ResolverTimeout extends Error {
  override readonly name = 'ResolverTimeout'
  readonly code = 'EAI_AGAIN'
}

/**
 * Each look-up blocks a thread of libuv's pool for as long as the system's resolver likes. One runs at a time, and callers
 * who ask for the same name meanwhile share its answer. Rejects with ResolverTimeout after `ms`.
 */
export function systemNames(
  ask: (host: string) => Promise<LookupAddress[]> = host => lookup(host, { all: true }),
  ms: number = LIMITS.trustedNameMs,
): (host: string) => Promise<LookupAddress[]> {
  const oneByOne = concurrencyLimit(1, ms, () => new ResolverTimeout())
  const underWay = new Map<string, Promise<LookupAddress[]>>()
  return host => {
    const mine = underWay.get(host) ?? oneByOne(() => ask(host)).finally(() => underWay.delete(host))
    underWay.set(host, mine)
    return within(ms, mine)
  }
}

function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ResolverTimeout()), ms)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}
