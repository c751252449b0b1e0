/** Resolves host names: given ones at the name servers, trusted ones with the system; and tells whose fault a failure is. */

import { createSocket } from 'node:dgram'
import { type LookupAddress, promises } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { concurrencyLimit } from '../../contract/concurrency-limit.ts'
import { environment } from '../../contract/environment.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'

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
    const timer = environment.timer(cancel, ms)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await send(resolver)
    } finally {
      timer.cancel()
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Every recursive server can resolve the root zone's name servers. */
  const queryRoot = (): Promise<boolean> =>
    query(PHOTO_LIMITS.nameServerCheckMs, undefined, resolver => resolver.resolveNs('.')).then(
      () => true,
      error => isAnswered(error),
    )

  return {
    async resolve(host, signal) {
      if (NOT_PUBLIC.test(host)) throw new NoAddress()
      if (signal.aborted) throw new NoAnswer()
      const outcomes = await query(PHOTO_LIMITS.lookupMs, signal, resolver =>
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

/** Error codes of a missing route to the address. */
const NO_ROUTE = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])

/**
 * Documentation addresses (RFC 5737, RFC 3849), for a route lookup. They are routed like public ones, and no packet is
 * sent.
 */
const ROUTE_PROBES = [
  ['udp4', '192.0.2.1'],
  ['udp6', '2001:db8::1'],
] as const

/**
 * True when this machine is at fault, for any URL. The decision uses exhausted resources, a query to the name servers,
 * and the machine's routes. None of these depends on the URL: the result reveals nothing about the network of core to
 * callers.
 */
export async function isOurFault(
  error: unknown,
  areNameServersAnswering: () => Promise<boolean>,
): Promise<boolean> {
  const all = [...errorsIn(error)]
  const codes = all.map(each => ('code' in each ? String(each.code) : ''))
  if (codes.some(code => OUT_OF_RESOURCES.has(code))) return true
  if (all.some(each => each instanceof NoAnswer)) return !(await areNameServersAnswering())
  return codes.some(code => NO_ROUTE.has(code)) && !(await hasRoute())
}

/** The error, its causes, and the errors of each connection attempt. */
function* errorsIn(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return
  yield error
  if (error instanceof AggregateError) for (const each of error.errors) yield* errorsIn(each)
  yield* errorsIn(error.cause)
}

/** Whether this machine has a route to the public internet. */
async function hasRoute(): Promise<boolean> {
  const found = await Promise.all(ROUTE_PROBES.map(([type, address]) => hasRouteTo(type, address)))
  return found.includes(true)
}

/** Connecting a UDP socket looks up a route and sends nothing. */
function hasRouteTo(type: 'udp4' | 'udp6', address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createSocket(type)
  socket.on('error', () => resolve(false))
  socket.connect(9, address, () => resolve(true))
  return promise.finally(() => socket.close())
}
