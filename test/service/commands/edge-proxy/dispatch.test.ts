/** Dispatch of requests to workers, retries after the death of a worker, and the closing of the proxy. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { LARGE, ok, proxyBefore, slowWorker } from './behind.ts'

describe('openEdgeProxy with several workers', () => {
  it('dispatches each request of a connection to an idle worker', async () => {
    const { listener, seen } = slowWorker()
    const idle = vi.fn(ok)
    const { origin } = await proxyBefore([listener, idle])
    const crowd = request(origin, { method: 'POST', path: '/v0/detect' }).end()
    const [, crowdAnswer] = await seen()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    for (const method of ['POST', 'GET', 'POST']) {
      const [response] = (await once(request(origin, { method, agent }).end(), 'response')) as [
        IncomingMessage,
      ]
      expect(response.statusCode).toBe(200)
      await text(response)
    }
    expect(idle).toHaveBeenCalledTimes(3)
    crowdAnswer.end()
    await once(crowd, 'response')
  })

  it('balances POST requests by their own number', async () => {
    const [first, second] = [slowWorker(), slowWorker()]
    const { origin, workers } = await proxyBefore([first.listener, second.listener])
    void fetch(origin, { method: 'POST' }).catch(() => {})
    await first.seen()
    for (let i = 0; i < 3; i++) {
      void fetch(origin).catch(() => {})
      await second.seen()
    }
    void fetch(origin, { method: 'POST' }).catch(() => {})
    await second.seen()
    expect(workers.map(({ posts, requests }) => [posts, requests])).toEqual([
      [1, 1],
      [1, 4],
    ])
  })

  it('stops counting a request after its answer or when its caller disconnects', async () => {
    const { listener, seen } = slowWorker()
    const { origin, workers } = await proxyBefore([listener])
    const leaving = request(origin, { method: 'POST' }).on('error', () => {})
    leaving.end()
    await seen()
    leaving.destroy()
    const answered = fetch(origin, { method: 'POST' })
    const [, answer] = await seen()
    answer.end()
    await answered
    await expect.poll(() => workers.map(({ posts, requests }) => [posts, requests])).toEqual([[0, 0]])
  })

  it.each([
    { method: 'GET', body: undefined, heard: 2, status: 200 },
    { method: 'POST', body: 'x', heard: 1, status: 504 },
    { method: 'DELETE', body: undefined, heard: 1, status: 504 },
  ])('asks $heard workers for a $method when the first one dies', async ({ method, body, heard, status }) => {
    const dying = vi.fn(
      (asked: IncomingMessage) => void asked.resume().on('end', () => asked.socket.resetAndDestroy()),
    )
    const well = vi.fn(ok)
    const { origin } = await proxyBefore([dying, well])
    const response = await fetch(origin, { method, ...(body && { body }) })
    expect(response.status).toBe(status)
    expect(dying.mock.calls.length + well.mock.calls.length).toBe(heard)
  })

  it('asks another worker when nothing listens at the first', async () => {
    const { origin, servers } = await proxyBefore([ok, ok])
    await new Promise(resolve => servers[0]!.close(resolve))
    await expect(fetch(origin, { method: 'POST', body: LARGE })).toAnswer(200)
  })

  it('repeats a request on a new connection when the pooled one is closed', async () => {
    const { origin, servers } = await proxyBefore([ok])
    for (let i = 0; i < 20; i++) {
      await expect(fetch(origin)).toAnswer(200)
      servers[0]!.closeAllConnections()
    }
  })
})

describe('EdgeProxy.close', () => {
  const refused = async (port: number) => {
    const [error] = await once(connect(port, '127.0.0.1'), 'error').catch(error => [error])
    return error.code
  }

  it('refuses new connections and waits for running requests', async () => {
    const { listener, seen } = slowWorker()
    const { proxy, origin } = await proxyBefore([listener])
    const begun = fetch(origin, { method: 'POST' })
    const [, answer] = await seen()
    let isClosed = false
    const closed = proxy.close(10_000).then(() => (isClosed = true))
    expect(await refused(proxy.port)).toBe('ECONNREFUSED')
    expect(isClosed).toBe(false)
    answer.end('{}')
    await expect(begun).toAnswer(200)
    await closed
  })

  it('answers a request that is already on a connection, then closes the connection', async () => {
    const { proxy } = await proxyBefore([ok])
    const socket = connect(proxy.port, '127.0.0.1')
    await once(socket, 'connect')
    const closed = proxy.close(10_000)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
    await closed
  })

  it('ends a connection that sends many requests without waiting for answers', async () => {
    let seen = 0
    const { proxy } = await proxyBefore([() => void seen++])
    const socket = connect(proxy.port, '127.0.0.1').on('error', () => {})
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000))
    await once(socket, 'close')
    expect(seen).toBeLessThanOrEqual(EDGE_LIMITS.pipelined)
  })

  it('waits neither without connections nor for idle connections', async () => {
    const empty = await proxyBefore([ok])
    await empty.proxy.close(60_000)
    const { proxy } = await proxyBefore([ok])
    const [silent, resting] = [0, 0].map(() => connect(proxy.port, '127.0.0.1').on('error', () => {}))
    resting!.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(resting!, 'data')
    const ended = once(resting!.resume(), 'close')
    await proxy.close(3_600_000)
    await ended
    silent!.destroy()
  })
})
