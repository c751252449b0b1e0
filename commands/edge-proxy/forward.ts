/**
 * Forwards one request to a worker and its response to the caller: streams bodies, and propagates aborts in both
 * directions.
 */
import {
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http'
import { Transform } from 'node:stream'
import { type ErrorCode, ServiceError } from '../../contract/errors.ts'
import { headersForCaller, type RawHeaders } from './headers.ts'
import { type DropBody, hasBody, refuse } from './refusal.ts'
import type { Worker, Workers } from './workers.ts'

export interface Exchange {
  caller: IncomingMessage
  answer: ServerResponse
  /** Aborts when the rest of the request is not valid HTTP. */
  broken: AbortController
  dropBody: DropBody
  /** Called before the first byte of a stream of events. No shutdown waits for the stream. `end` ends it. */
  onEventStream(answer: ServerResponse, end: () => void): void
}

/** Path and headers for the worker. */
interface Forwarded {
  path: string
  headers: RawHeaders
}

/**
 * An empty write sends the headers. `flushHeaders` would encode non-ASCII values as UTF-8, although they were read as
 * Latin-1.
 */
const NOTHING = Buffer.alloc(0)

/** Methods that are safe to repeat. */
const REPEATABLE = new Set(['GET', 'HEAD'])

/**
 * Sends the request to the worker with the least load. Responds with 503 without a worker. When the connection breaks before the
 * response begins, a GET or HEAD without a body is sent once more, to another worker when there is one. Any other request may have
 * been executed if the worker got all of it: the response is then 504. A request whose connection was refused is also sent once
 * more.
 */
export function forward(exchange: Exchange, sent: Forwarded, workers: Workers, failed?: Worker): void {
  const { caller, answer, broken, dropBody } = exchange
  const worker = workers.pick(failed)
  if (!worker) {
    refuse(answer, new ServiceError('SERVICE_UNAVAILABLE'), dropBody)
    return
  }
  const outgoing = openRequest({
    host: '127.0.0.1',
    port: worker.port,
    // A worker may close an idle connection while a request is being sent. Only repeatable requests tolerate this.
    agent: isRepeatable(caller) && !failed ? worker.agent : false,
    method: caller.method!,
    signal: broken.signal,
    ...sent,
  })
  const done = countRequest(worker, caller.method!)
  const abort = () => outgoing.destroy()
  answer.once('close', abort)
  const body = deferWrites()
  let isConnected = false
  let isAnswered = false
  onceConnected(outgoing, () => {
    isConnected = true
    // The worker may refuse a body before any of it has arrived.
    if (hasBody(caller)) outgoing.write(NOTHING)
    caller.pipe(body).pipe(outgoing)
  })
  outgoing.once('response', response => {
    isAnswered = true
    // A stream of events is quiet most of the time, and may last for minutes.
    if (isEventStream(response)) done()
    caller.unpipe(body)
    body.unpipe(outgoing)
    forwardResponse(response, outgoing, exchange)
  })
  outgoing.on('error', () => {
    if (isAnswered || answer.destroyed || broken.signal.aborted) return
    caller.unpipe(body)
    if (!failed && (!isConnected || isRepeatable(caller))) return forward(exchange, sent, workers, worker)
    const mayBeExecuted = isConnected && !REPEATABLE.has(caller.method!) && caller.complete
    refuse(answer, new ServiceError(mayBeExecuted ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE'), dropBody)
  })
  outgoing.once('close', () => {
    answer.off('close', abort)
    done()
  })
}

const isRepeatable = ({ method, headers }: IncomingMessage) =>
  REPEATABLE.has(method!) &&
  headers['transfer-encoding'] === undefined &&
  !Number(headers['content-length'] ?? 0)

/**
 * Delays each chunk until all received data is read. A worker that refuses a body early closes the connection after its
 * response; a write to the closed connection would discard the unread response.
 */
const deferWrites = () => new Transform({ transform: (part, _, done) => void setImmediate(done, null, part) })

/** Counts a request of the worker until the returned function is called first. */
function countRequest(worker: Worker, method: string): () => void {
  const posts = method === 'POST' ? 1 : 0
  worker.requests++
  worker.posts += posts
  let isCounted = true
  return () => {
    if (!isCounted) return
    isCounted = false
    worker.requests--
    worker.posts -= posts
  }
}

function onceConnected(outgoing: ClientRequest, send: () => void) {
  outgoing.once('socket', socket => {
    if (socket.connecting) socket.once('connect', send)
    else send()
  })
}

/** Forwards the response. A worker that responds before it has the whole body refuses the body: the rest is dropped. */
function forwardResponse(
  response: IncomingMessage,
  outgoing: ClientRequest,
  { caller, answer, dropBody, onEventStream }: Exchange,
) {
  if (isOfRuntime(response)) {
    outgoing.destroy()
    refuse(answer, new ServiceError(runtimeErrorCode(response.statusCode!)), dropBody)
    return
  }
  dropBody(caller)
  answer.writeHead(response.statusCode!, response.statusMessage, headersForCaller(response))
  // The headers of a streamed list are sent before its first line.
  if (response.headers['content-length'] === undefined) answer.write(NOTHING)
  if (isEventStream(response))
    onEventStream(answer, () => {
      response.unpipe(answer)
      answer.end()
    })
  response.pipe(answer)
  response.once('close', () => {
    if (!response.complete) answer.destroy()
    if (!outgoing.writableFinished) outgoing.destroy()
  })
}

/** Whether a response lasts until the caller or core ends it. */
const isEventStream = ({ headers }: IncomingMessage) =>
  headers['content-type']?.startsWith('text/event-stream') ?? false

/** workerd responds with 501 to an unknown method. */
const runtimeErrorCode = (status: number): ErrorCode => {
  if (status === 501) return 'METHOD_NOT_ALLOWED'
  return status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR'
}

/** Whether workerd itself refused the request: all responses of the worker have a request id. */
const isOfRuntime = ({ statusCode, headers }: IncomingMessage) =>
  statusCode! >= 400 && headers['x-request-id'] === undefined
