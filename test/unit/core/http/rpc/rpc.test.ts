/** Headers between edge and core: core's version, and the embedder of the edge. */
import { rpcPath } from '#contract/operations/messages.ts'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { EMBEDDER_HEADER, RPC_VERSION, VERSION_HEADER } from '#contract/rpc/message-headers.ts'
import { signedHeaders } from '#contract/rpc/signature.ts'
import { EmbedderMismatch } from '#core/http/rpc/edge-compatibility.ts'
import { refusal } from '#core/http/rpc/rpc.ts'
import { traceOf } from '#core/log.ts'
import { edgeHeaders, KEY, routesWith } from './edge-headers.ts'

const answered = async () => ({ response: { galleries: [] } })

/** Lists the galleries as an edge with these headers. Returns the response and the error of core. */
async function listed(list: () => Promise<unknown>, edge: Record<string, string>) {
  const routes = routesWith(list)
  let thrown: unknown
  routes.onError(error => {
    thrown = error
    return refusal(error)
  })
  const path = rpcPath('galleries.list')
  const body = encodeFrame({ owner: '0123456789abcdef01234567' })
  const signed = await signedHeaders(KEY, { method: 'POST', path, body }, Date.now())
  const response = await routes.request(path, { method: 'POST', headers: { ...signed, ...edge }, body })
  return { response, thrown }
}

it.each([
  ['an answer', 200, answered],
  ['an internal error', 500, () => Promise.reject(new Error('broken'))],
])("%s names core's version", async (_, status, list) => {
  const { response } = await listed(list, edgeHeaders('ours'))
  expect(response.status).toBe(status)
  expect(response.headers.get(VERSION_HEADER)).toBe(String(RPC_VERSION))
})

it.each([
  ['theirs', 'edge=theirs core=ours'],
  ['a line {"of": "a log"}', 'edge=unknown core=ours'],
  [undefined, 'edge=unknown core=ours'],
])('core refuses an edge with the embedder %j, and logs both embedders', async (embedder, code) => {
  const { thrown } = await listed(answered, embedder === undefined ? {} : { [EMBEDDER_HEADER]: embedder })
  expect(thrown).toBeInstanceOf(EmbedderMismatch)
  expect(traceOf(thrown)).toMatchObject({ error: `EmbedderMismatch ${code}` })
})
