/** The HTTP proxy of an edge: accepts connections, refuses invalid requests, and forwards the others to workers. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ServiceError } from '../../contract/errors.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { boundConnections } from '../../core/http/connections.ts'
import { type Exchange, forward } from './forward.ts'
import { headersForWorker, valuesOf } from './headers.ts'
import { bodyDropper, parserError, refuse, refuseConnection } from './refusal.ts'
import { encodeFirstLines, originOf, targetOf } from './target.ts'
import type { Workers } from './workers.ts'

export interface EdgeProxy {
  port: number
  /** Refuses new connections. Resolves when all requests are answered, or after `graceMs` milliseconds. */
  close(graceMs: number): Promise<void>
}

interface ProxySettings {
  host: string
  port: number
  /** Whether this address is a proxy whose headers determine the caller's address, scheme and host. */
  isTrusted(address: string | undefined): boolean
}

/** During the shutdown, time for requests that callers have already sent on accepted connections. */
const ARRIVING_MS = 1_000

/** Polling interval of the connection count during the shutdown. */
const COUNT_MS = 20

/** Time limit of one request, including its wait in the queue before its body is read. */
const REQUEST_MS = EDGE_LIMITS.waitMs + REQUEST_LIMITS.bodyArrivalMs + REQUEST_LIMITS.headerCheckMs

/**
 * A connection on which nothing arrives or leaves for this long ends: its caller does not read the answer. Longer than a worker works on
 * anything.
 */
const QUIET_MS = EDGE_LIMITS.permitMs + 10_000

/** Opens the proxy. Rejects when it cannot listen. */
export async function openEdgeProxy(settings: ProxySettings, workers: Workers): Promise<EdgeProxy> {
  const { host, port, isTrusted } = settings
  let closing = false
  let activeRequests = 0
  const exchanges = new WeakMap<Socket, Exchange>()
  const dropBody = bodyDropper()
  const endings = new Set<() => void>()
  const onEventStream = (answer: ServerResponse, end: () => void) => {
    if (closing) end()
    endings.add(end)
    answer.once('close', () => endings.delete(end))
  }
  const server = createServer(
    {
      maxHeaderSize: REQUEST_LIMITS.headerBytes,
      headersTimeout: REQUEST_LIMITS.headerArrivalMs,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: REQUEST_LIMITS.headerCheckMs,
      keepAliveTimeout: REQUEST_LIMITS.callerRestMs,
      requireHostHeader: false,
    },
    (caller, answer) => {
      const exchange = { caller, answer, broken: new AbortController(), dropBody, onEventStream }
      exchanges.set(caller.socket, exchange)
      if (closing) answer.shouldKeepAlive = false
      activeRequests++
      answer.once('close', () => activeRequests--)
      handleRequest(exchange, settings, workers)
    },
  )
  encodeFirstLines(server)
  boundConnections(server, EDGE_LIMITS, isTrusted)
  server.setTimeout(QUIET_MS, socket => socket.destroy())
  server.on('checkExpectation', (_, answer: ServerResponse) =>
    refuse(answer, new ServiceError('EXPECTATION_FAILED'), dropBody),
  )
  server.on('connect', (_, socket) =>
    refuseConnection(socket as Socket, new ServiceError('METHOD_NOT_ALLOWED')),
  )
  const refused = new WeakSet<object>()
  server.on('clientError', (error, socket) => {
    // Each further chunk of a broken request emits another error.
    if (refused.has(socket)) return
    refused.add(socket)
    refuseBroken(socket as Socket, error, exchanges.get(socket as Socket))
  })
  await once(server.listen(port, host), 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`${originOf(host, port)} can't be listened on (${code}).`)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close(graceMs) {
      closing = true
      // Receivers connect again, to another edge, and resume.
      for (const end of endings) end()
      await drain(server, () => activeRequests, graceMs)
    },
  }
}

/** Refuses requests that the API does not support; forwards the others. */
function handleRequest(
  exchange: Exchange,
  { isTrusted }: Pick<ProxySettings, 'isTrusted'>,
  workers: Workers,
) {
  const { caller, answer, dropBody } = exchange
  try {
    // The Fetch standard forbids TRACE, and no worker can handle it.
    if (caller.method === 'TRACE') throw new ServiceError('METHOD_NOT_ALLOWED')
    refuseTransfer(caller)
    const { url = '', httpVersion: version } = caller
    const hosts = valuesOf(caller.rawHeaders, 'host')
    const { localAddress = '', localPort = 0 } = caller.socket
    const { path, host } = targetOf({ url, hosts, version }, new URL(originOf(localAddress, localPort)).host)
    forward(exchange, { path, headers: headersForWorker(caller, host, isTrusted) }, workers)
  } catch (error) {
    // Node refuses to send some header values that its parser accepts.
    const refusal =
      error instanceof ServiceError ? error : new ServiceError('BAD_REQUEST', {}, { cause: error })
    refuse(answer, refusal, dropBody)
  }
}

/**
 * Refuses other HTTP versions, transfer encodings other than chunked, and WebSockets. RFC 9110 lets a server ignore
 * other upgrades.
 */
function refuseTransfer({ headers, httpVersion }: IncomingMessage) {
  const encoding = headers['transfer-encoding']
  if (httpVersion !== '1.1' && (httpVersion !== '1.0' || encoding !== undefined))
    throw new ServiceError('BAD_REQUEST')
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked')
    throw new ServiceError('BAD_REQUEST', {
      reason: 'The only Transfer-Encoding that is supported is chunked.',
    })
  if (/\bwebsocket\b/i.test(headers.upgrade ?? ''))
    throw new ServiceError('BAD_REQUEST', { reason: 'There are no WebSockets here.' })
}

/**
 * Refuses bytes that are not HTTP or that arrive too slowly, and closes the connection. Responses to earlier requests
 * are sent first. A request with a broken body never reaches the worker as a whole.
 */
function refuseBroken(socket: Socket, error: NodeJS.ErrnoException, last: Exchange | undefined) {
  const refusal = () => refuseConnection(socket, parserError(error))
  const isAnswering = last?.caller.complete && !last.answer.writableFinished
  const isBroken = last?.caller.complete === false
  if (isBroken) last.broken.abort()
  if (error.code === 'ECONNRESET' || !socket.writable || (isBroken && last.answer.headersSent))
    socket.destroy()
  else if (isAnswering) last.answer.once('close', refusal)
  else refusal()
}

async function drain(server: Server, activeRequests: () => number, graceMs: number) {
  const end = Date.now() + graceMs
  // http.Server's close() also closes idle connections, on which a request may be arriving.
  TcpServer.prototype.close.call(server)
  const connections = promisify(server.getConnections.bind(server))
  const arrived = Math.min(end, Date.now() + ARRIVING_MS)
  while (Date.now() < arrived && (await connections()) > 0) await sleep(COUNT_MS)
  while (Date.now() < end && activeRequests() > 0) await sleep(COUNT_MS)
  server.closeAllConnections()
}
