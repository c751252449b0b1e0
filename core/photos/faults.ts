/** Whose fault a failed fetch is: the caller's URL, or this machine. */
import { createSocket } from 'node:dgram'
import { NoAnswer } from './name-servers.ts'

/** This process or machine is out of something. EAI_AGAIN: the system's resolver has no answer for a trusted host. */
const OUT_OF_RESOURCES = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAI_AGAIN', 'EAI_MEMORY'])

/** No way leads to the address. */
const NO_ROUTE = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])

/** Documentation addresses (RFC 5737, RFC 3849): they are routed like public ones, and nothing is sent to them. */
const ELSEWHERE = [
  ['udp4', '192.0.2.1'],
  ['udp6', '2001:db8::1'],
] as const

/**
 * True when this machine is at fault, whatever URL was asked for. It is decided by what this machine is short of, by a
 * question to its name servers, and by its routes. None of them depends on the URL: the answer tells a caller nothing about
 * the network that core is in.
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

/** The error, its causes, and the errors of each attempt to connect. */
function* errorsIn(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return
  yield error
  if (error instanceof AggregateError) for (const each of error.errors) yield* errorsIn(each)
  yield* errorsIn(error.cause)
}

/** Whether a packet for the public internet would leave this machine. */
async function hasRoute(): Promise<boolean> {
  const found = await Promise.all(ELSEWHERE.map(([type, address]) => leadsTo(type, address)))
  return found.includes(true)
}

/** Connecting a UDP socket looks for a route, and sends nothing. */
function leadsTo(type: 'udp4' | 'udp6', address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createSocket(type)
  socket.on('error', () => resolve(false))
  socket.connect(9, address, () => resolve(true))
  return promise.finally(() => socket.close())
}
