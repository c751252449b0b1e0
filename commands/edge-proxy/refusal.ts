/** Sends the proxy's own error responses, in the form of the contract. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorAnswer, ServiceError } from '../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'

/** Request ids that callers may choose; the worker has the same rule. */
const REQUEST_ID = /^[\w\-=]{1,128}$/

/** Methods of the API. The proxy refuses other methods for any path. */
const ALLOWED = 'DELETE, GET, HEAD, POST, PUT'

/** Reads and drops the rest of a request's body. */
export type DropBody = (request: IncomingMessage) => void

/** Responds to a request with an error, and drops the rest of its body. */
export function refuse(response: ServerResponse, error: unknown, dropBody: DropBody): void {
  const { status, headers, body } = refusalOf(error, response.req.headers['x-request-id'])
  const isFramed = Number(response.req.headers['content-length'] ?? 0) > 0
  // The end of a malformed request is unknown unless its length is given.
  if (status === 400 && !isFramed) headers.Connection = 'close'
  response.writeHead(status, headers)
  response.end(body)
  dropBody(response.req)
}

/** Whether a request has a body, by its headers. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Pause per chunk of a dropped body. A chunk has up to 64 KB: 2 ms per chunk limit the rate to 32 MB/s. */
const DROPPED_PART_MS = 2

/**
 * Creates a function that drops bodies for at most REQUEST_LIMITS.unreadBodyMs: many clients read the response only after they
 * have sent everything. All dropped bodies share one rate: refused requests cannot keep the process busy.
 */
export function bodyDropper(): DropBody {
  let dropping = 0
  return request => {
    if (request.complete) return
    dropping++
    request.on('data', () => {
      request.pause()
      setTimeout(() => request.resume(), DROPPED_PART_MS * dropping).unref()
    })
    request.resume()
    const timer = setTimeout(() => request.socket.destroy(), REQUEST_LIMITS.unreadBodyMs).unref()
    request.once('close', () => {
      dropping--
      clearTimeout(timer)
    })
  }
}

/**
 * Sends an error on a connection whose request was not understood, and closes the connection after
 * REQUEST_LIMITS.brokenRequestMs. An immediate close with unread bytes would reset the connection, and the response would be
 * lost.
 */
export function refuseConnection(socket: Socket, error: unknown): void {
  if (!socket.writable) return void socket.destroy()
  socket.on('error', () => socket.destroy())
  const { status, headers, body } = refusalOf(error)
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), REQUEST_LIMITS.brokenRequestMs).unref()
}

/** Status, headers and body of the response, which is logged under its request id. */
function refusalOf(error: unknown, askedId?: string | string[]) {
  const requestId = typeof askedId === 'string' && REQUEST_ID.test(askedId) ? askedId : randomUUID()
  const { status, body } = errorAnswer(error)
  const text = JSON.stringify({ ...body, request_id: requestId })
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    'X-Request-Id': requestId,
  }
  if (status === 405) headers.Allow = ALLOWED
  if (status === 503) headers['Retry-After'] = '1'
  log({ request_id: requestId, event: 'refused by the proxy', status, code: body.code })
  return { status, headers, body: text }
}

/** A line of JSON, in the form of the worker's log. */
const log = (entry: Record<string, unknown>) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}

interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer
  /** Number of bytes of the packet that were parsed. */
  bytesParsed?: number
}

/** Maps errors of Node's parser, and timeouts of requests, to errors of the contract. */
export function parserError(error: ParserError): ServiceError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError('REQUEST_TIMEOUT')
  if (error.code === 'HPE_HEADER_OVERFLOW') return new ServiceError('HEADERS_TOO_LARGE')
  if (error.code === 'HPE_INVALID_METHOD' && isRequestLine(error))
    return new ServiceError('METHOD_NOT_ALLOWED')
  return new ServiceError('BAD_REQUEST')
}

/** Whether the line that failed to parse is a request line with an unknown method. */
function isRequestLine({ rawPacket, bytesParsed = 0 }: ParserError) {
  const packet = rawPacket?.toString('latin1') ?? ''
  const line = packet.slice(packet.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1)
  return /^[!#$%&'*+.^`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/.test(line)
}
