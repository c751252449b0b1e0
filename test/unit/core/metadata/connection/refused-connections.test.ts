/** Questions to a server that listens no more: they wait for it while that is new, and what was sent is never sent again. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { retryRefusedConnections } from '../../../../../core/metadata/connection/refused-connections.ts'

const CODE = { cause: { code: 'ECONNREFUSED' } }

async function listening(listener: RequestListener, port = 0): Promise<Server> {
  const server = createServer(listener)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

/** A port where nobody listens. */
async function free(): Promise<number> {
  const server = await listening(() => {})
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Asks at this port, with so much patience, and counts how often it is tried. */
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

it('waits for a server that is started again, and asks it the whole question', async () => {
  const port = await free()
  const { tried, ask } = asking(port, Number.POSITIVE_INFINITY)
  const asked = Promise.all([ask(), ask()])
  await expect.poll(() => tried.times).toBeGreaterThan(3)
  await listening((request, response) => request.pipe(response), port)
  for (const answer of await asked) expect(await answer.text()).toBe('a question')
})

it('loses patience, also for those who come later, until it has had an answer', async () => {
  const port = await free()
  const { tried, ask } = asking(port, 100)
  await expect(ask()).rejects.toMatchObject(CODE)
  expect(tried.times).toBeGreaterThan(1)
  const before = tried.times
  await expect(ask()).rejects.toMatchObject(CODE)
  expect(tried.times).toBe(before + 1)
  const server = await listening((_, response) => response.setHeader('connection', 'close').end(), port)
  await ask()
  await new Promise(resolve => server.close(resolve))
  await expect(ask()).rejects.toMatchObject(CODE)
  expect(tried.times).toBeGreaterThan(before + 3)
})

it('asks once what was sent, whatever becomes of the answer', async () => {
  const server = await listening(request => request.socket.destroy())
  const { tried, ask } = asking((server.address() as AddressInfo).port, Number.POSITIVE_INFINITY)
  await expect(ask()).rejects.toThrow()
  expect(tried.times).toBe(1)
})
