/** Refusals of the store interface, and its robustness against any request. */

import fc from 'fast-check'
import { STORE_LIMITS } from '#contract/limits/store.ts'
import { StoreUnavailable, type VectorStore } from '#core/vector-store/vector-store.ts'
import { floats, serveRealStore } from '#test/unit/core/http/served.ts'

const { vectors: store, send, serveInstead } = await serveRealStore()
await store.add([{ gallery: 'a', id: 1, vector: Float32Array.of(1, 0) }])

const refusal = async (response: Response) => ({ status: response.status, ...(await response.json()) })

const fine = floats(1, 0)
const long = 'x'.repeat(129)
const big = String(2 ** 53)

it.each<[string, string, ArrayBuffer | undefined, number, string, string?]>([
  ['POST', '/v1/a/add/1', fine, 409, 'FACE_EXISTS'],
  ['POST', '/v1/a/add/2', floats(1, 0, 0), 400, 'WRONG_DIMENSION'],
  ['POST', '/v1/a/add/2', floats(0, 0), 400, 'BAD_VECTOR'],
  ['POST', '/v1/a/add/2', floats(1, Number.NEGATIVE_INFINITY), 400, 'BAD_VECTOR'],
  ['POST', '/v1/a/add/2', new ArrayBuffer(7), 400, 'BAD_VECTOR'],
  ['POST', '/v1/b/add/2', new ArrayBuffer(4 * STORE_LIMITS.vectorLength + 4), 400, 'BAD_VECTOR'],
  ['POST', `/v1/a/add/${big}`, fine, 400, 'BAD_PARAM', 'id'],
  ['POST', '/v1/a/add/-1', fine, 400, 'BAD_PARAM', 'id'],
  ['POST', '/v1/a%20b/add/1', fine, 400, 'BAD_PARAM', 'name'],
  ['POST', '/v1/%2E%2E/add/1', fine, 404, 'NOT_FOUND'],
  ['POST', `/v1/${long}/add/1`, fine, 400, 'BAD_PARAM', 'name'],
  ['GET', '/v1/a/get/2', undefined, 404, 'NOT_FOUND'],
  ['DELETE', '/v1/a/del/2', undefined, 404, 'NOT_FOUND'],
  ['POST', '/v1/b/search/1/0', fine, 404, 'NOT_FOUND'],
  ['POST', '/v1/a/search/0/0', fine, 400, 'BAD_PARAM', 'limit'],
  ['POST', '/v1/a/search/1/1.01', fine, 400, 'BAD_PARAM', 'threshold'],
  ['POST', '/v1/a/search/1/0?linear_search=maybe', fine, 400, 'BAD_PARAM', 'linear_search'],
  ['POST', '/v1/a/search/1/0', floats(1), 400, 'WRONG_DIMENSION'],
  ['GET', '/v1/b/list/0/1', undefined, 404, 'NOT_FOUND'],
  ['GET', '/v1/a/list/0/0', undefined, 400, 'BAD_PARAM', 'count'],
  ['GET', `/v1/a/list/${big}/1`, undefined, 400, 'BAD_PARAM', 'start_id'],
  ['POST', '/v1/b/index', undefined, 404, 'NOT_FOUND'],
  ['POST', '/v0/a/add/2', fine, 404, 'NOT_FOUND'],
])('%s %s is refused', async (method, path, body, status, code, param) => {
  const answer = await refusal(await send(method, path, body))
  expect(answer).toMatchObject({ status, code, reason: expect.any(String), request_id: expect.any(String) })
  expect(answer.param).toBe(param)
  expect(await (await send('GET', '/v1/a/list/0/9')).json()).toMatchObject({ faces: [{ id: 1 }], next: null })
})

it('a compressed body is refused', async () => {
  const answer = await refusal(await send('POST', '/v1/a/add/2', fine, { 'content-encoding': 'gzip' }))
  expect(answer).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
})

it('a body without an announced length is refused before it has arrived', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const answer = await send('POST', '/v1/a/add/2', endless).then(refusal, () => undefined)
  // The connection may end before the answer is read; only its end matters here.
  if (answer) expect(answer).toMatchObject({ status: 400, code: 'BAD_VECTOR' })
  expect(sent).toBeLessThan(64 * 2 ** 20)
})

describe.each([
  { why: 'away' as const, code: 'SERVICE_UNAVAILABLE' },
  { why: 'full' as const, code: 'STORE_FULL' },
])('a store that is $why', ({ why, code }) => {
  const fails = () => Promise.reject(new StoreUnavailable(why))
  const vectors = new Proxy({} as VectorStore, { get: () => fails })

  it('answers every request with 503 and Retry-After', async () => {
    await serveInstead(vectors)
    for (const [method, path, body] of [
      ['POST', '/v1/a/add/1', fine],
      ['GET', '/v1/a/get/1'],
      ['DELETE', '/v1/a/del/1'],
      ['POST', '/v1/a/search/1/0', fine],
      ['GET', '/v1/a/list/0/1'],
      ['POST', '/v1/a/index'],
      ['GET', '/v1/a/index'],
      ['GET', '/stat/list/1/1'],
      ['GET', '/stat/info/a'],
    ] as [string, string, ArrayBuffer?][]) {
      const response = await send(method, path, body)
      expect(response.headers.get('retry-after'), path).toBe('1')
      expect(await refusal(response), path).toMatchObject({ status: 503, code, reason: expect.any(String) })
    }
  })
})

it('a search that no shard answered gets 503', async () => {
  const search = async () => ({ candidates: [], withIndex: false, live: 0, total: 3 })
  const vectors = { search } as unknown as VectorStore
  await serveInstead(vectors)
  await expect(send('POST', '/v1/a/search/1/0', fine)).toAnswer(503)
})

it('the store interface answers random requests without a 5xx', {
  tags: 'long',
  timeout: 600_000,
}, async () => {
  const part = fc.oneof(
    fc.constantFrom(...'v1 stat a add get del search list index info 0 1 9 0.5 -0'.split(' ')),
    fc.string({ unit: 'grapheme', maxLength: 9 }).map(encodeURIComponent),
    fc.double().map(String),
    fc.constantFrom('%', '%ff', '%00', '..', '%2F', big, long),
  )
  const shaped = fc.constantFrom('add', 'get', 'del', 'list', 'search', 'index')
  const path = fc.oneof(
    fc.array(part, { maxLength: 6 }).map(parts => `/${parts.join('/')}`),
    fc
      .tuple(part, shaped, fc.array(part, { maxLength: 2 }))
      .map(([name, verb, rest]) => ['/v1', name, verb, ...rest].join('/')),
    fc.tuple(fc.constantFrom('list', 'info'), part, part).map(parts => `/stat/${parts.join('/')}`),
  )
  const query = fc.webQueryParameters().map(text => `?${text}`)
  const body = fc.option(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(fc.float(), { maxLength: 5 }).map(values => new Uint8Array(floats(...values))),
    ),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'),
      path,
      query,
      body,
      async (method, path, query, body) => {
        const response = await send(
          method,
          path + query,
          method === 'GET' || body === null ? undefined : Buffer.from(body),
        )
        expect(response.status).toBeLessThan(500)
        const text = await response.text()
        if (response.status !== 200)
          expect(JSON.parse(text)).toMatchObject({ code: expect.any(String), reason: expect.any(String) })
      },
    ),
    { numRuns: Number(process.env.MIEN_FUZZ_REQUESTS ?? 150) },
  )
})
