/** Headers of core's responses to edges. */
import { expect, it } from 'vitest'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { rpcPath } from '#contract/rpc/operations.ts'
import { PACK_HEADER } from '#contract/rpc/pack-announcement.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { RPC_VERSION, VERSION_HEADER } from '#contract/rpc/version.ts'
import type { Handlers, StreamHandlers } from '#core/http/rpc/handlers.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import { refusal, rpcRoutes } from '#core/http/rpc/rpc.ts'
import { edgeHeaders } from './edge-headers.ts'

const key = await signingKey('a secret that edge and core share')

it.each([
  ['an answer', 200, async () => ({ response: { galleries: [] } })],
  ['an internal error', 500, () => Promise.reject(new Error('broken'))],
])("%s names core's version and its pack", async (_, status, list) => {
  const routes = rpcRoutes({
    handlers: { 'galleries.list': list } as unknown as Handlers,
    streamHandlers: {} as StreamHandlers,
    signatures: { keys: () => [key], nonces: new Nonces(0), now: Date.now, onRejected: () => {} },
    embedder: 'ours',
    pack: '7 0123',
    brokeOff: () => {},
  })
  routes.onError(refusal)
  const path = rpcPath('galleries.list')
  const body = encodeFrame({ owner: '0123456789abcdef01234567' })
  const signed = await signedHeaders(key, { method: 'POST', path, body }, Date.now())
  const headers = { ...signed, ...edgeHeaders('ours') }
  const response = await routes.request(path, { method: 'POST', headers, body })
  expect(response.status).toBe(status)
  expect(response.headers.get(VERSION_HEADER)).toBe(String(RPC_VERSION))
  expect(response.headers.get(PACK_HEADER)).toBe('7 0123')
})
