/** What an edge sends to core, and routes of core that it may ask. */
import { EMBEDDER_HEADER, RPC_VERSION, VERSION_HEADER } from '#contract/rpc/message-headers.ts'
import type { Handler } from '#core/http/rpc/handlers.ts'
import { type RpcOptions, refusal, rpcRoutes } from '#core/http/rpc/rpc.ts'

/** Headers of an edge of this version. `embedder` is a label (core/embedding/label.ts). */
export const edgeHeaders = (embedder: string): Record<string, string> => ({
  [EMBEDDER_HEADER]: embedder,
  [VERSION_HEADER]: String(RPC_VERSION),
})

/** The routes of a core with the embedder `ours`, which answers `galleries.list` only. */
export function routesWith(
  list: () => Promise<unknown>,
  options: Pick<RpcOptions, 'signatures'> & Partial<RpcOptions>,
) {
  const routes = rpcRoutes({
    handlers: { 'galleries.list': list as Handler },
    streamHandlers: {},
    chips: 'ours',
    addBatch: () => undefined,
    brokeOff: () => {},
    ...options,
  })
  return routes.onError(refusal)
}
