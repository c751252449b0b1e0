/** One request on its way to a worker and back: bodies stream through, and each side hears when the other breaks off. */
import {
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http'
import { Transform } from 'node:stream'
import { type ErrorCode, ServiceError } from '../../core/contract/errors.ts'
import { headersForCaller, type RawHeaders } from './headers.ts'
import { type DropBody, hasBody, refuse } from './refusal.ts'
import type { Worker, Workers } from './workers.ts'

export interface Exchange {
  caller: IncomingMessage
  answer: ServerResponse
  /** Aborts when the rest of the request turns out not to be HTTP. */
  broken: AbortController
  dropBody: DropBody
}

/** What the worker is sent. */
export interface Forwarded {
  path: string
  headers: RawHeaders
}

/** Sends the headers. `flushHeaders` would encode what is not ASCII in them as UTF-8, though it was read as Latin-1. */
const NOTHING = Buffer.alloc(0)

/** Methods that may be sent twice. */
const REPEATABLE = new Set(['GET', 'HEAD'])

/**
 * Sends the request to the worker with the least load. 503 when there is none, or when the connection breaks before the
 * answer begins. A GET or HEAD without a body is then sent once more, to another worker where there is one; so is a
 * request that found nobody listening.
 */
export function forward(exchange: Exchange, sent: Forwarded, workers: Workers, failed?: Worker): void {
  const { caller, answer, broken, dropBody } = exchange
  const worker = workers.pick(failed)
  if (!worker) {
    refuse(answer, new ServiceError('SERVICE_UNAVAILABLE'), dropBody)
    return
  }
  const asked = openRequest({
    host: '127.0.0.1',
    port: worker.port,
    // A worker may close a kept connection just as a request is sent on it. That is harmless only to what is sent again.
    agent: isRepeatable(caller) && !failed ? worker.agent : false,
    method: caller.method!,
    signal: broken.signal,
    ...sent,
  })
  const done = counted(worker, caller.method!)
  const leave = () => asked.destroy()
  answer.once('close', leave)
  const body = unhurried()
  let isConnected = false
  let isAnswered = false
  onceConnected(asked, () => {
    isConnected = true
    // The worker may have to refuse a body before any of it has come.
    if (hasBody(caller)) asked.write(NOTHING)
    caller.pipe(body).pipe(asked)
  })
  asked.once('response', response => {
    isAnswered = true
    caller.unpipe(body)
    body.unpipe(asked)
    passOn(response, asked, exchange)
  })
  asked.on('error', () => {
    if (isAnswered || answer.destroyed || broken.signal.aborted) return
    caller.unpipe(body)
    if (!failed && (!isConnected || isRepeatable(caller))) forward(exchange, sent, workers, worker)
    else refuse(answer, new ServiceError('SERVICE_UNAVAILABLE'), dropBody)
  })
  asked.once('close', () => {
    answer.off('close', leave)
    done()
  })
}

const isRepeatable = ({ method, headers }: IncomingMessage): boolean =>
  REPEATABLE.has(method!) &&
  headers['transfer-encoding'] === undefined &&
  !Number(headers['content-length'] ?? 0)

/**
 * Passes each part on only when everything that has arrived meanwhile is read. A worker that refuses a body early closes
 * the connection after its answer; writing to a closed connection would discard that answer unread.
 */
const unhurried = (): Transform =>
  new Transform({ transform: (part, _, done) => void setImmediate(done, null, part) })

/** Counts a request of the worker, until the function that it returns is called. */
function counted(worker: Worker, method: string): () => void {
  const posts = method === 'POST' ? 1 : 0
  worker.requests++
  worker.posts += posts
  return () => {
    worker.requests--
    worker.posts -= posts
  }
}

function onceConnected(asked: ClientRequest, send: () => void): void {
  asked.once('socket', socket => {
    if (socket.connecting) socket.once('connect', send)
    else send()
  })
}

/** A worker that answers before it has the whole body refuses it: what the caller still sends is dropped. */
function passOn(
  response: IncomingMessage,
  asked: ClientRequest,
  { caller, answer, dropBody }: Exchange,
): void {
  if (isOfRuntime(response)) {
    asked.destroy()
    refuse(answer, new ServiceError(runtimeErrorCode(response.statusCode!)), dropBody)
    return
  }
  dropBody(caller)
  answer.writeHead(response.statusCode!, response.statusMessage, headersForCaller(response))
  // The headers of a list without a bound do not wait for its first line.
  if (response.headers['content-length'] === undefined) answer.write(NOTHING)
  response.pipe(answer)
  response.once('close', () => {
    if (!response.complete) answer.destroy()
    if (!asked.writableFinished) asked.destroy()
  })
}

/** workerd answers 501 to a method that it does not know. */
const runtimeErrorCode = (status: number): ErrorCode => {
  if (status === 501) return 'METHOD_NOT_ALLOWED'
  return status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR'
}

/** Whether workerd itself refused the request: the worker gives each of its answers an id. */
const isOfRuntime = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode! >= 400 && headers['x-request-id'] === undefined
