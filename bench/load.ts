/** Callers that send requests, and a cheap client for them: it shares the processor with the service. Hostile callers who send none. */
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls again and again, by so many callers at once, until `isOver`. With `perSecond`, calls begin at even distances,
 * unless earlier ones of the same caller take longer. `turn` counts the calls of a caller.
 */
export async function callers(
  count: number,
  isOver: () => boolean,
  call: (caller: number, turn: number) => Promise<unknown>,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<void> {
  const pause = (1000 * count) / perSecond
  const caller = async (_: unknown, number: number) => {
    if (pause > 0) await sleep((number * pause) / count)
    for (let turn = 0; !isOver(); turn++) {
      const next = performance.now() + pause
      await call(number, turn)
      if (pause > 0) await sleep(Math.max(0, next - performance.now()))
    }
  }
  await Promise.all(Array.from({ length: count }, caller))
}

/** True from so many milliseconds on. */
export function after(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() >= end
}

/** Begins calls at even distances for so long, whether or not earlier ones have ended. Resolves when all have ended. */
export async function openLoop(perSecond: number, ms: number, call: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const running: Promise<unknown>[] = []
  for (let due = began; due - began < ms; due += 1000 / perSecond) {
    await sleep(Math.max(0, due - performance.now()))
    running.push(call())
  }
  await Promise.all(running)
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface Response {
  /** 0 without a response. */
  readonly status: number
  readonly ms: number
  /** When it arrived, by `performance.now`. */
  readonly at: number
}

/** Sends a request. Never rejects. */
export type Ask = (request: Request) => Promise<Response>

/** A client that ignores bodies of responses. Core takes requests of its own machine without a token. */
export function cheapClient(origin: string, token?: string): Ask {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(origin)
  return ({ method, path, headers = {}, body }) =>
    new Promise(resolve => {
      const began = performance.now()
      let status = 0
      const done = () => {
        const at = performance.now()
        resolve({ status, ms: at - began, at })
      }
      const all = {
        ...(token !== undefined && { authorization: `Token ${token}` }),
        ...(body && { 'content-length': String(body.length) }),
        ...headers,
      }
      const sent = request({ agent, hostname, port, method, path, headers: all })
      sent.on('response', response => {
        status = response.statusCode ?? 0
        response.resume()
        response.on('error', () => {})
        response.on('close', done)
      })
      // A refusal may arrive before the whole body is sent.
      sent.on('error', () => status || done())
      sent.end(body)
    })
}

/** A multipart body of these photos, each with its field name. */
export function multipart(photos: readonly (readonly [field: string, bytes: Uint8Array])[]): Buffer {
  const parts = photos.flatMap(([field, bytes]) => [
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${field}"; filename="p"\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...parts, Buffer.from('--b--\r\n')])
}

/** A POST of photos. */
export const posting = (path: string, ...photos: readonly Uint8Array[]): Request => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  body: multipart(photos.map(photo => ['photo', photo])),
})

/** Pause between two bytes of a connection, and before a connection that was ended is opened again. */
const BYTE_MS = 1_000
const AGAIN_MS = 10_000

/** Connections that are opened at once, which fit into the queue of a server, and time for the server to accept them. */
const AT_ONCE = 256
const ACCEPT_MS = 20

/**
 * Holds so many connections from an address that send headers a byte at a time, and opens each again that is ended. Resolves when each was opened or refused once,
 * with a function that ends them.
 */
export async function holdConnections(
  edge: string,
  localAddress: string,
  count: number,
): Promise<() => void> {
  const { port } = new URL(edge)
  const sockets = new Set<Socket>()
  let isStopped = false
  const hold = (onFirst: () => void): void => {
    if (isStopped) return
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    sockets.add(socket)
    socket.write('GET / HTTP/1.1\r\nX: ')
    const dripping = setInterval(() => socket.write('a'), BYTE_MS)
    socket.resume().on('error', () => {})
    socket.once('connect', onFirst)
    socket.once('close', () => {
      clearInterval(dripping)
      sockets.delete(socket)
      onFirst()
      setTimeout(hold, AGAIN_MS, onFirst).unref()
    })
  }
  for (let left = count; left > 0; left -= AT_ONCE) {
    const length = Math.min(left, AT_ONCE)
    await Promise.all(Array.from({ length }, () => new Promise<void>(resolve => hold(resolve))))
    await sleep(ACCEPT_MS)
  }
  return () => {
    isStopped = true
    for (const socket of sockets) socket.destroy()
  }
}
