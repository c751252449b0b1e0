/** Resolves host names: given ones at the name servers, trusted ones with the system. */
import { type LookupAddress, promises } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { concurrencyLimit } from '../../contract/concurrency-limit.ts'
import { environment } from '../../contract/environment.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'

/** Resolves the addresses of a host; none if it has none. The signal cancels the query. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>

/**
 * Names that RFC 6761, 6762 and 7686 exclude from the public DNS, and names without a dot. They are not sent to name
 * servers.
 */
const NOT_PUBLIC = /^[^.]*$|(^|\.)(localhost|local|invalid|onion)$/i

/** First timeout in milliseconds. c-ares queries the next server after it, and waits longer in each round. */
const FIRST_WAIT_MS = 1_000
const TRIES_PER_QUERY = 3

/**
 * Uses the servers of /etc/resolv.conf unless `servers` is given. Neither /etc/hosts nor search domains apply: names
 * are queried as given. No query occupies a thread: slow names do not delay others. Rejects with the errors of
 * c-ares when there is no answer.
 */
export function nameServers(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    if (NOT_PUBLIC.test(host) || signal.aborted) return []
    // Each query has its own resolver, because `cancel` ends all queries of a resolver.
    const resolver = new promises.Resolver({ timeout: FIRST_WAIT_MS, tries: TRIES_PER_QUERY })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    const timer = environment.timer(cancel, PHOTO_LIMITS.lookupMs)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = [
        ...(four.status === 'fulfilled' ? four.value : []).map(address => ({ address, family: 4 })),
        ...(six.status === 'fulfilled' ? six.value : []).map(address => ({ address, family: 6 })),
      ]
      const failures = [four, six].flatMap(query => (query.status === 'rejected' ? [query.reason] : []))
      if (addresses.length === 0 && failures.length > 0) throw new AggregateError(failures)
      return addresses
    } finally {
      timer.cancel()
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** The system's resolver took too long. The code is the system's own code for a temporary failure. */
class ResolverTimeout extends Error {
  override readonly name = 'ResolverTimeout'
  readonly code = 'EAI_AGAIN'
}

/**
 * Each lookup blocks a thread of libuv's pool until the system's resolver returns. One lookup runs at a time, and
 * callers with the same name share its result. Rejects with ResolverTimeout after `ms` milliseconds.
 */
export function systemNames(
  resolve: (host: string) => Promise<LookupAddress[]> = host => lookup(host, { all: true }),
  ms: number = PHOTO_LIMITS.trustedNameMs,
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
  const timer = environment.timer(() => reject(new ResolverTimeout()), ms)
  return Promise.race([answer, promise]).finally(() => timer.cancel())
}

/** Error codes of exhausted resources. EAI_AGAIN: the system's resolver has no answer for a trusted host. */
const OUT_OF_RESOURCES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAI_AGAIN', 'EAI_MEMORY'])

/** True if this machine is at fault, for any URL: its resources are exhausted. */
export function isOurFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const others = error instanceof AggregateError ? error.errors : []
  const isOut = 'code' in error && OUT_OF_RESOURCES.has(String(error.code))
  return isOut || [error.cause, ...others].some(isOurFault)
}
