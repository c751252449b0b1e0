/** Requests to a server that does not listen: they wait for it for a limited time, and a sent request is never repeated. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { retryRefusedConnections } from '#core/metadata/connection/availability.ts'

async function listening(listener: RequestListener, port = 0): Promise<Server> {
  const server = createServer(listener)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

/** A port without a listener. */
async function free(): Promise<number> {
  const server = await listening(() => {})
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Sends requests to this port with this patience, and counts the attempts. */
function asking(port: number, patienceMs: number) {
  const tried = { times: 0 }
  const ask = retryRefusedConnections(
    request => {
      tried.times++
      return fetch(request)
    },
    () => patienceMs,
  )
  return {
    tried,
    ask: () => ask(new Request(`http://127.0.0.1:${port}`, { method: 'POST', body: 'a question' })),
  }
}

it('retryRefusedConnections waits for a restarted server, and sends it the whole request', async () => {
  const port = await free()
  const { tried, ask } = asking(port, Number.POSITIVE_INFINITY)
  const asked = Promise.all([ask(), ask()])
  await expect.poll(() => tried.times).toBeGreaterThan(3)
  await listening((request, response) => request.pipe(response), port)
  for (const answer of await asked) expect(await answer.text()).toBe('a question')
})

it('retryRefusedConnections never repeats a request that was sent', async () => {
  const server = await listening(request => request.socket.destroy())
  const { tried, ask } = asking((server.address() as AddressInfo).port, Number.POSITIVE_INFINITY)
  await expect(ask()).rejects.toThrow()
  expect(tried.times).toBe(1)
})
