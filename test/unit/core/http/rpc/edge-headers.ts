/** Headers by which an edge tells core what it is. */

import { EMBEDDER_HEADER, RPC_VERSION, VERSION_HEADER } from '#contract/rpc/headers.ts'

/** Those of an edge of this version. `embedder` is a label (core/embedding/label.ts). */
export const edgeHeaders = (embedder: string): Record<string, string> => ({
  [EMBEDDER_HEADER]: embedder,
  [VERSION_HEADER]: String(RPC_VERSION),
})
