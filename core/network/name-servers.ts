/** Resolves host names at the machine's name servers, without blocking a thread of libuv's pool. */
import { type LookupAddress, promises } from 'node:dns'
import { LIMITS } from '../../contract/limits.ts'

/** Resolves the addresses of a host. The signal cancels the query. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>

/** The name servers reported that the host does not exist or has no address. */
export class NoAddress extends Error {
  override readonly name = 'NoAddress'
}

/**
 * The name servers gave no usable answer in time. The servers of the name or our own may be at fault; see
 * `areAnswering`.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export interface NameServers {
  /** Rejects with NoAddress and NoAnswer. */
  resolve: Resolve
  /** Whether the name servers answer a fixed query. If they do, a NoAnswer is the fault of the queried name. */
  areAnswering(): Promise<boolean>
}

/**
 * Names that RFC 6761, 6762 and 7686 exclude from the public DNS, and names without a dot. They are not sent to name
 * servers.
 */
const NOT_PUBLIC = /^[^.]*$|(^|\.)(localhost|local|invalid|onion)$/i

/** Error codes of c-ares for an answer without an address. EBADNAME: the name is invalid, no query is needed. */
const ANSWERED = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** First timeout in milliseconds. c-ares queries the next server after it, and waits longer in each round. */
const FIRST_WAIT_MS = 1_000
const TRIES = 3

/**
 * Uses the servers of /etc/resolv.conf unless `servers` is given. Neither /etc/hosts nor search domains apply: names
 * are queried as given.
 */
export function nameServers(servers?: readonly string[]): NameServers {
  let check: Promise<boolean> | undefined

  /** Each query has its own resolver, because `cancel` ends all queries of a resolver. */
  const query = async <Answer>(
    ms: number,
    signal: AbortSignal | undefined,
    send: (resolver: promises.Resolver) => Promise<Answer>,
  ): Promise<Answer> => {
    const resolver = new promises.Resolver({ timeout: FIRST_WAIT_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    const timer = setTimeout(cancel, ms)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await send(resolver)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Every recursive server can resolve the root zone's name servers. */
  const queryRoot = (): Promise<boolean> =>
    query(LIMITS.nameServerCheckMs, undefined, resolver => resolver.resolveNs('.')).then(
      () => true,
      error => isAnswered(error),
    )

  return {
    async resolve(host, signal) {
      if (NOT_PUBLIC.test(host)) throw new NoAddress()
      if (signal.aborted) throw new NoAnswer()
      const outcomes = await query(LIMITS.photoNameMs, signal, resolver =>
        Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]),
      )
      const [four, six] = outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : []))
      const addresses = [
        ...four!.map(address => ({ address, family: 4 })),
        ...six!.map(address => ({ address, family: 6 })),
      ]
      if (addresses.length > 0) return addresses
      const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
      const unanswered = failures.find(failure => !isAnswered(failure))
      throw unanswered ? new NoAnswer('', { cause: unanswered }) : new NoAddress()
    },

    areAnswering() {
      check ??= queryRoot().finally(() => {
        check = undefined
      })
      return check
    },
  }
}

const isAnswered = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ANSWERED.has(String(error.code))
