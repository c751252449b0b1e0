/** Resolves host names at the machine's name servers, without a thread of libuv's pool. */
import { type LookupAddress, promises } from 'node:dns'
import { LIMITS } from '../contract/limits.ts'

/** The addresses of a host. The signal ends the search. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>

/** The name servers say that the host does not exist, or that it has no address. */
export class NoAddress extends Error {
  override readonly name = 'NoAddress'
}

/** The name servers gave no usable answer in time. The name's own servers may be at fault, or ours: see `areAnswering`. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export interface NameServers {
  /** Rejects with NoAddress and NoAnswer. */
  resolve: Resolve
  /**
   * Whether the name servers answer a question that no caller has chosen. A NoAnswer is then the fault of the name that was
   * asked for.
   */
  areAnswering(): Promise<boolean>
}

/**
 * Names that RFC 6761, 6762 and 7686 keep out of the public DNS, and names without a dot. Name servers are not asked for
 * them.
 */
const NOT_PUBLIC = /^[^.]*$|(^|\.)(localhost|local|invalid|onion)$/i

/** What c-ares reports when a name server has answered that there is no address. EBADNAME: no server need be asked. */
const ANSWERED = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** First wait for an answer, milliseconds. c-ares asks the next server after it, and waits longer in each round. */
const FIRST_WAIT_MS = 1_000
const TRIES = 3

/**
 * The servers of /etc/resolv.conf, unless others are given. Neither /etc/hosts nor the search domains of resolv.conf apply.
 * The caller's name is asked for as it is.
 */
export function nameServers(servers?: readonly string[]): NameServers {
  let check: Promise<boolean> | undefined

  /** A resolver of its own for each question: `cancel` ends all that a resolver was asked. */
  const ask = async <Answer>(
    ms: number,
    signal: AbortSignal | undefined,
    question: (resolver: promises.Resolver) => Promise<Answer>,
  ): Promise<Answer> => {
    const resolver = new promises.Resolver({ timeout: FIRST_WAIT_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    const timer = setTimeout(cancel, ms)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await question(resolver)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Every recursive server knows the servers of the root zone. */
  const askForRoot = (): Promise<boolean> =>
    ask(LIMITS.nameServerCheckMs, undefined, resolver => resolver.resolveNs('.')).then(
      () => true,
      error => isAnswered(error),
    )

  return {
    async resolve(host, signal) {
      if (NOT_PUBLIC.test(host)) throw new NoAddress()
      if (signal.aborted) throw new NoAnswer()
      const outcomes = await ask(LIMITS.photoNameMs, signal, resolver =>
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
      check ??= askForRoot().finally(() => {
        check = undefined
      })
      return check
    },
  }
}

const isAnswered = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ANSWERED.has(String(error.code))
