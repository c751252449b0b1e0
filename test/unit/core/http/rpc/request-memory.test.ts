/** Bounds of concurrent requests at core: number and bytes. */
import { Hono } from 'hono'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { rpcPath } from '#contract/operations/messages.ts'
import { signedHeaders } from '#contract/rpc/signature.ts'
import { requestMemory } from '#core/http/rpc/rpc.ts'
import { KEY, routesWith } from './edge-headers.ts'

/** A server with small bounds. Its requests stay in progress until the functions in `leaving` run. */
function door() {
  const leaving: (() => void)[] = []
  const app = new Hono()
  app.post('/', requestMemory({ coreRequests: 3, coreRequestBytes: 100 }), async context => {
    await new Promise<void>(resolve => leaving.push(resolve))
    return context.text('done')
  })
  app.onError(error => Response.json(error, { status: 503 }))
  const ask = (bytes: number | undefined) =>
    app.request('/', {
      method: 'POST',
      ...(bytes === undefined ? {} : { headers: { 'content-length': String(bytes) } }),
    })
  return { ask, leaving }
}

const turn = () => new Promise(resolve => setTimeout(resolve, 5))

it.each([
  ['beyond the number', [1, 1, 1], 1],
  ['beyond the bytes', [60, 30], 11],
  ['without Content-Length, beside another', [50], undefined],
])('requestMemory refuses a request %s, and accepts it when the others are done', async (_, before, last) => {
  const { ask, leaving } = door()
  const asked = before.map(ask)
  await turn()
  await expect(ask(last)).toAnswer(503)
  for (const leave of leaving) leave()
  for (const answer of asked) await expect(answer).toAnswer(200)
  const again = ask(last ?? 100)
  await turn()
  leaving.at(-1)?.()
  await expect(again).toAnswer(200)
})

it('rpcRoutes counts a body that never arrives, and reads no body beyond RPC_LIMITS.coreRequests', async () => {
  const routes = routesWith(async () => ({}))
  const path = rpcPath('galleries.list')
  const headers = await signedHeaders(KEY, { method: 'POST', path, body: new Uint8Array() }, Date.now())
  let read = 0
  const ask = () => {
    const body = new ReadableStream({ pull: () => void read++ }, { highWaterMark: 0 })
    const init = { method: 'POST', headers: { ...headers, 'content-length': '9' }, body, duplex: 'half' }
    return routes.request(path, init as RequestInit)
  }
  for (let i = 0; i < RPC_LIMITS.coreRequests; i++) void ask()
  await turn()
  expect(read).toBe(RPC_LIMITS.coreRequests)
  await expect(ask()).toAnswer(503)
  expect(read).toBe(RPC_LIMITS.coreRequests)
})
