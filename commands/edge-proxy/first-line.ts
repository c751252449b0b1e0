/**
 * Percent-encodes request targets that callers sent unencoded, which Node's parser refuses: curl sends
 * `/v0/face/meta/José` as typed.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { refuseConnection } from './refusal.ts'

const LINE_END = 0x0a
const FIRST_NON_ASCII = 0x80

/**
 * Percent-encodes non-ASCII bytes in the first line of each connection before the server parses it. Later requests of a
 * connection cannot be encoded: only the parser knows where they begin.
 */
export function encodeFirstLines(server: Server): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const hangUp = () => socket.destroy()
    // The server's own timeouts begin when it receives the socket.
    const timer = setTimeout(() => {
      refuseConnection(socket, new ServiceError('REQUEST_TIMEOUT'))
    }, REQUEST_LIMITS.headerArrivalMs).unref()
    socket.once('error', hangUp).once('close', () => clearTimeout(timer))
    socket.once('readable', () => {
      clearTimeout(timer)
      const first = socket.read() as Buffer | null
      // The stream leaves the mode of the `readable` listener at the end of the tick.
      setImmediate(() => {
        if (socket.destroyed) return
        socket.off('error', hangUp)
        if (first) socket.unshift(withEncodedLine(first))
        for (const listener of listeners) listener.call(server, socket)
      })
    })
  })
}

/** Returns the bytes with non-ASCII bytes of the first line percent-encoded. */
export function withEncodedLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(LINE_END)
  const line = bytes.subarray(0, end < 0 ? bytes.length : end)
  if (line.every(byte => byte < FIRST_NON_ASCII)) return bytes
  const encoded = line
    .toString('latin1')
    .replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return Buffer.concat([Buffer.from(encoded, 'latin1'), bytes.subarray(line.length)])
}
