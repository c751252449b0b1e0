/** Edge and core with different packs: core must not embed the chips of another embedder. */
import { expect, it } from 'vitest'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { EMBEDDER_HEADER, rpcPath } from '#contract/rpc/operations.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import type { Handlers, StreamHandlers } from '#core/http/rpc/handlers.ts'
import { EmbedderMismatch } from '#core/http/rpc/mismatch.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import { rpcRoutes } from '#core/http/rpc/rpc.ts'
import { traceOf } from '#core/log.ts'

const key = await signingKey('a secret that edge and core share')

/** Requests the galleries as an edge with this embedder. Returns the thrown error or the status. */
async function askedBy(embedder: string | undefined): Promise<unknown> {
  const handlers = { 'galleries.list': async () => ({ response: { galleries: [] } }) } as unknown as Handlers
  const signatures = { keys: () => [key], nonces: new Nonces(0), now: Date.now, onRejected: () => {} }
  const options = { handlers, streamHandlers: {} as StreamHandlers, signatures, brokeOff: () => {} }
  const routes = rpcRoutes({ ...options, embedder: 'ours-128' })
  let thrown: unknown
  routes.onError((error, context) => {
    thrown = error
    return context.text('', 500)
  })
  const path = rpcPath('galleries.list')
  const body = encodeFrame({ owner: '0123456789abcdef01234567' })
  const headers = new Headers(await signedHeaders(key, { method: 'POST', path, body }, Date.now()))
  if (embedder !== undefined) headers.set(EMBEDDER_HEADER, embedder)
  const { status } = await routes.request(path, { method: 'POST', headers, body })
  return thrown ?? status
}

it('rpcRoutes answers an edge with the same embedder', async () => {
  expect(await askedBy('ours-128')).toBe(200)
})

it.each([
  ['theirs-128', 'edge=theirs-128 core=ours-128'],
  ['', 'edge=unknown core=ours-128'],
  ['a line {"of": "a log"}', 'edge=unknown core=ours-128'],
  [undefined, 'edge=unknown core=ours-128'],
])('rpcRoutes refuses an edge with the embedder %j, and logs both embedders', async (embedder, code) => {
  const thrown = await askedBy(embedder)
  expect(thrown).toBeInstanceOf(EmbedderMismatch)
  expect(traceOf(thrown)).toMatchObject({ error: `EmbedderMismatch ${code}` })
})
