/** Decides whether the caller's URL or this machine caused a failed fetch. */
import { createSocket } from 'node:dgram'
import { NoAnswer } from './name-servers.ts'

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
