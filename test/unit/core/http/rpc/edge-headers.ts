/** Headers that an edge sends to core, and routes of core that it may ask. */
import { EMBEDDER_HEADER, RPC_VERSION, VERSION_HEADER } from '#contract/rpc/message-headers.ts'
import { signingKey } from '#contract/rpc/signature.ts'
import type { Handler } from '#core/http/rpc/handlers.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import { type RpcOptions, refusal, rpcRoutes } from '#core/http/rpc/rpc.ts'

/** Headers of an edge of this version. `embedder` is a label (core/embedding/label.ts). */
export const edgeHeaders = (embedder: string): Record<string, string> => ({
  [EMBEDDER_HEADER]: embedder,
  [VERSION_HEADER]: String(RPC_VERSION),
})

export const KEY = await signingKey('a secret that edge and core share')

/** Accepts requests that KEY signs. */
const SIGNED = { keys: () => [KEY], now: Date.now, onRejected: () => {} }

/** The routes of a core with the embedder `ours`, which answers `galleries.list` only. */
export function routesWith(list: () => Promise<unknown>, options: Partial<RpcOptions> = {}) {
  const routes = rpcRoutes({
    handlers: { 'galleries.list': list as Handler },
    streamHandlers: {},
    chips: 'ours',
    addBatch: () => undefined,
    brokeOff: () => {},
    signatures: { ...SIGNED, nonces: new Nonces(0) },
    ...options,
  })
  return routes.onError(refusal)
}
