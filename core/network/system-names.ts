/** Resolves the names of trusted hosts with the system's resolver, including /etc/hosts, mDNS and other NSS sources. */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { concurrencyLimit } from '../../contract/concurrency-limit.ts'
import { LIMITS } from '../../contract/limits.ts'

/** The system's resolver took too long. The code is the system's own code for a temporary failure. */
export class ResolverTimeout extends Error {
  override readonly name = 'ResolverTimeout'
  readonly code = 'EAI_AGAIN'
}

/**
 * Each lookup blocks a thread of libuv's pool until the system's resolver returns. One lookup runs at a time, and
 * callers with the same name share its result. Rejects with ResolverTimeout after `ms` milliseconds.
 */
export function systemNames(
  resolve: (host: string) => Promise<LookupAddress[]> = host => lookup(host, { all: true }),
  ms: number = LIMITS.trustedNameMs,
): (host: string) => Promise<LookupAddress[]> {
  const oneByOne = concurrencyLimit(1, ms, () => new ResolverTimeout())
  const inProgress = new Map<string, Promise<LookupAddress[]>>()
  return host => {
    const pending =
      inProgress.get(host) ?? oneByOne(() => resolve(host)).finally(() => inProgress.delete(host))
    inProgress.set(host, pending)
    return within(ms, pending)
  }
}

function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ResolverTimeout()), ms)
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}
