/** A proxy in front of an S3 server that simulates faults of networks and servers. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '#test/support/processes.ts'

/**
 * The fault of a request. A number: answered with this status without asking the server. `silent`: no answer. `slow`: the
 * answer never ends. `lost`: executed without an answer. `half`: the answer breaks off. `changed`: the body arrives
 * with a changed byte.
 */
export type Fate = 'well' | 'silent' | 'slow' | 'lost' | 'half' | 'changed' | number

export interface FaultyProxy {
  origin: string
  /** Sets the fault of requests from now on; there is none at first. */
  decide(fate: (request: IncomingMessage) => Fate): void
  /** Requests as `GET /bucket/key`, without queries. */
  readonly asked: string[]
  /** Closes all connections and the port. */
  stop(): Promise<void>
  /** Listens again. */
  serve(): Promise<void>
}

/** Starts a proxy, which stops with the test. */
export async function faultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port: upstream } = new URL(target)
  const asked: string[] = []
  let decide: (request: IncomingMessage) => Fate = () => 'well'
  const server = createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    void suffer(decide(incoming), incoming, answer)
  })

  async function suffer(fate: Fate, incoming: IncomingMessage, answer: ServerResponse) {
    const body = await buffer(incoming).catch(() => Buffer.alloc(0))
    if (typeof fate === 'number') {
      answer.writeHead(fate).end('<Error><Code>InternalError</Code></Error>')
      return
    }
    if (fate === 'silent') return
    const { method, url, rawHeaders } = incoming
    // The signature covers the host name of the proxy.
    const passed = request({ hostname, port: upstream, method, path: url, headers: rawHeaders as never })
    passed.on('error', () => answer.destroy())
    if (fate === 'changed') body[0]! ^= 1
    passed.end(body)
    const [told] = (await once(passed, 'response')) as [IncomingMessage]
    const bytes = await buffer(told)
    if (fate === 'lost') {
      answer.destroy()
      return
    }
    const { 'transfer-encoding': _, ...headers } = told.headers
    answer.writeHead(told.statusCode!, { ...headers, 'content-length': bytes.length })
    if (fate === 'well' || fate === 'changed') answer.end(method === 'HEAD' ? undefined : bytes)
    else answer.write(bytes.subarray(0, bytes.length >> 1), () => fate === 'half' && answer.destroy())
  }

  let port = 0
  const proxy: FaultyProxy = {
    origin: '',
    asked,
    decide: fate => {
      decide = fate
    },
    async stop() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
    async serve() {
      port = await listen(server, port)
      proxy.origin = `http://127.0.0.1:${port}`
    },
  }
  await proxy.serve()
  onTestFinished(async () => {
    if (server.listening) await proxy.stop()
  })
  return proxy
}
