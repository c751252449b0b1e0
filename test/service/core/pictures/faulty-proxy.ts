/** A proxy before a server of S3 that lets requests through, and does to them what networks and servers do. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/**
 * What becomes of a request: a status is answered without asking the server; `silent` has no answer, `slow` one whose end
 * does not come; `lost` is done and not told of; of `half` the answer is cut off in its middle; the body of `changed` arrives
 * otherwise than it was sent.
 */
export type Fate = 'well' | 'silent' | 'slow' | 'lost' | 'half' | 'changed' | number

export interface FaultyProxy {
  origin: string
  /** Decides from now on; all is well at first. */
  decide(fate: (request: IncomingMessage) => Fate): void
  /** As `GET /bucket/key`, without what is behind a question mark. */
  readonly asked: string[]
  /** Takes no connections any more, and ends those that there are. */
  stop(): Promise<void>
  /** Takes connections again. */
  serve(): Promise<void>
}

/** For the length of one test. */
export async function faultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port: upstream } = new URL(target)
  const asked: string[] = []
  let decide: (request: IncomingMessage) => Fate = () => 'well'
  const server = createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    void suffer(decide(incoming), incoming, answer)
  })

  async function suffer(fate: Fate, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => Buffer.alloc(0))
    if (typeof fate === 'number') {
      answer.writeHead(fate).end('<Error><Code>InternalError</Code></Error>')
      return
    }
    if (fate === 'silent') return
    const { method, url, rawHeaders } = incoming
    // The signature covers the name by which the proxy was asked.
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
      await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
      proxy.origin = `http://127.0.0.1:${port}`
    },
  }
  await proxy.serve()
  onTestFinished(async () => {
    if (server.listening) await proxy.stop()
  })
  return proxy
}
