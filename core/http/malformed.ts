/** Core's answer to bytes that are no HTTP, and to requests that do not arrive in time. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorAnswer, ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'

const CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** For the event `clientError` of a server: refuses in the contract's form, and closes the connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Each further part of a broken request is an error of its own.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, body } = errorAnswer(new ServiceError(CODES[error.code ?? ''] ?? 'BAD_REQUEST'))
  const text = JSON.stringify({ ...body, request_id: randomUUID() })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // A caller that goes on sending has this long to read the answer.
  setTimeout(() => socket.destroy(), LIMITS.brokenRequestMs).unref()
}
