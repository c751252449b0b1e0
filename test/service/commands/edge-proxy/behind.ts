/** The edge's proxy in front of HTTP servers of a test, and raw connections to it. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { trustedProxies } from '#commands/edge-proxy/headers.ts'
import { type EdgeProxy, openEdgeProxy } from '#commands/edge-proxy/proxy.ts'
import { leastLoaded, newWorker, type Worker, type Workers } from '#commands/edge-proxy/workers.ts'
import { listen } from '#test/support/processes.ts'

interface Behind {
  proxy: EdgeProxy
  origin: string
  workers: Worker[]
  servers: Server[]
}

/** A proxy with one worker per listener. */
export async function proxyBefore(listeners: readonly RequestListener[], trusted = ''): Promise<Behind> {
  const servers = await Promise.all(listeners.map(listenOn))
  const workers = servers.map(server => newWorker((server.address() as AddressInfo).port))
  const pool: Workers = { pick: except => leastLoaded(workers, except), stop: async () => {} }
  const isTrusted = trustedProxies(trusted)
  const proxy = await openEdgeProxy({ host: '127.0.0.1', port: 0, isTrusted }, pool)
  onTestFinished(() => void proxy.close(0))
  return { proxy, origin: `http://127.0.0.1:${proxy.port}`, workers, servers }
}

async function listenOn(listener: RequestListener) {
  const server = createServer({ maxHeaderSize: 2 ** 20, requestTimeout: 0 }, (request, response) => {
    response.setHeader('x-request-id', 'made-by-the-worker')
    listener(request, response)
  })
  await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

export const LARGE = Buffer.alloc(10 * 2 ** 20, 'what a photo weighs')

/** A worker that answers on demand: `seen` resolves with the next request and its response. */
export function slowWorker() {
  const queue: [IncomingMessage, ServerResponse][] = []
  let wake = () => {}
  const listener = (asked: IncomingMessage, answer: ServerResponse) => {
    queue.push([asked, answer])
    wake()
  }
  const seen = async (): Promise<[IncomingMessage, ServerResponse]> => {
    while (queue.length === 0) await new Promise<void>(resolve => (wake = resolve))
    return queue.shift()!
  }
  return { listener, seen, queue }
}

export const ok = (_: IncomingMessage, answer: ServerResponse) => void answer.end('{}')

interface RawAnswer {
  /** Statuses of all answers on the connection, informational ones included. */
  statuses: number[]
  text: string
  /** The last body, when it is JSON. */
  body: { code?: string; reason?: string; request_id?: string }
  /** Whether the proxy closed the connection within the time limit. */
  isClosed: boolean
}

/** Sends bytes (Latin-1) and resolves with the answers when the connection ends or is quiet for `quietMs`. */
export function exchange(port: number, bytes: string, quietMs = 1_500): Promise<RawAnswer> {
  return new Promise(resolve => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    const done = (isClosed: boolean) => {
      socket.destroy()
      resolve(read(text, isClosed))
    }
    socket.setTimeout(quietMs, () => done(false))
    socket.setEncoding('latin1').on('data', part => (text += part))
    socket.on('end', () => done(true)).on('error', () => done(true))
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}

function read(text: string, isClosed: boolean): RawAnswer {
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  const [json] = /\{[^{}]*\}$/.exec(text) ?? ['{}']
  return { statuses, text, body: JSON.parse(json), isClosed }
}
