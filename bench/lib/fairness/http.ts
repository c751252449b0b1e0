/**
 * A cheap HTTP client for loads on loopback. It sends the same bytes repeatedly, because it shares the service's
 * cores.
 */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface Answer {
  /** 0 without a response. */
  readonly status: number
  readonly ms: number
}

/** Sends requests to an origin until the signal aborts. Never rejects. */
export type Ask = (asked: Asked) => Promise<Answer>

export function asking(origin: string, token: string, signal: AbortSignal): Ask {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(origin)
  return ({ method, path, headers = {}, body }) =>
    new Promise(resolve => {
      const began = performance.now()
      const done = (status: number) => resolve({ status, ms: performance.now() - began })
      const all = {
        authorization: `Token ${token}`,
        ...(body && { 'content-length': String(body.length) }),
        ...headers,
      }
      const asked = request({ agent, hostname, port, method, path, headers: all, signal })
      let status = 0
      asked.on('response', response => {
        status = response.statusCode ?? 0
        response.resume()
        response.on('error', () => {})
        response.on('close', () => done(status))
      })
      // A refusal may arrive before the whole body is sent.
      asked.on('error', () => status || done(0))
      asked.end(body)
    })
}

/** Maximum time for which a raw connection stays open when the service does not close it. */
const HELD_MS = 2_000

/** Sends these bytes over a new connection and waits for the status of a response. Never rejects. */
export function rawly(origin: string, bytes: string, signal: AbortSignal): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise(resolve => {
    const began = performance.now()
    const socket = connect(Number(port), hostname)
    const done = (status: number) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      socket.destroy()
      resolve({ status, ms: performance.now() - began })
    }
    const end = () => done(0)
    const timer = setTimeout(end, HELD_MS)
    signal.addEventListener('abort', end)
    socket.on('error', end)
    socket.on('close', end)
    socket.on('data', data => done(Number(/^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? 0)))
    socket.write(bytes)
  })
}

/** A multipart body of these files, each with its field name. */
export function multipart(files: readonly (readonly [field: string, bytes: Uint8Array])[]): Buffer {
  const parts = files.flatMap(([field, bytes]) => [
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${field}"; filename="p"\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...parts, Buffer.from('--b--\r\n')])
}

export const MULTIPART = { 'content-type': 'multipart/form-data; boundary=b' }

/** POST /v0/detect with one photo. */
export const detecting = (photo: Uint8Array): Asked => ({
  method: 'POST',
  path: '/v0/detect',
  headers: MULTIPART,
  body: multipart([['photo', photo]]),
})
