/** Responses to bytes that are not HTTP and to requests that do not arrive in time. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorAnswer, ServiceError } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'

const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** Handles the event `clientError` of a server: writes an error response of the contract and closes the connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Each further chunk of a malformed request emits the event again.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, body } = errorAnswer(new ServiceError(CODES[error.code ?? ''] ?? 'BAD_REQUEST'))
  const text = JSON.stringify({ ...body, request_id: randomUUID() })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // Time for the caller to read the response before the connection is destroyed.
  setTimeout(() => socket.destroy(), LIMITS.brokenRequestMs).unref()
}
