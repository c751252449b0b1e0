/** A shard in another core: the shared suite over real HTTP, and answers that are not from a core. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openVectorStore } from '#core/vector-store/open.ts'
import { openRemoteShard } from '#core/vector-store/sharding/remote-shard.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { serveStore } from '#test/unit/core/http/served.ts'
import { behavesAsAVectorStore } from '#test/unit/core/vector-store/vector-store.suite.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

behavesAsAVectorStore('openRemoteShard', async () => {
  const vectors = await openVectorStore(folder)
  const core = await serveStore(vectors)
  return Object.assign(openRemoteShard(core.origin), {
    async close() {
      await core.close()
      await vectors.close()
    },
  })
})

const away = { name: 'StoreUnavailable', why: 'away' }
const probe = Float32Array.of(1, 0)
const EVERYTHING = { limit: 9, minScore: -1 }

/** A server that answers every request like this. */
async function serveAnswer(answer: RequestListener): Promise<VectorStore> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return openRemoteShard(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const saying =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'x-search-stat': 'without_index', 'x-live-servers': '1/1', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

const questions: Record<string, (store: VectorStore) => Promise<unknown>> = {
  add: store => store.add([{ gallery: 'a', id: 1, vector: probe }]),
  remove: store => store.remove([{ gallery: 'a', id: 1 }]),
  reach: store => store.reach([1]),
  get: store => store.get({ gallery: 'a', id: 1 }),
  search: store => store.search('a', probe, EVERYTHING),
  list: store => store.list('a', 0, 9),
  galleries: store => store.galleries(),
  gallery: store => store.gallery('a'),
  startIndex: store => store.startIndex('a'),
  indexState: store => store.indexState('a'),
}

describe.each(Object.entries(questions))('openRemoteShard: %s', (_, ask) => {
  it.each<{ what: string; answer: RequestListener }>([
    { what: 'a page of HTML', answer: saying(200, '<html>') },
    { what: 'JSON of another shape', answer: saying(200, { ok: true }) },
    { what: 'a number', answer: saying(200, '1') },
    { what: 'a 404 with HTML', answer: saying(404, '<html>') },
    { what: 'a 404 with another code', answer: saying(404, { code: 'GONE', reason: '' }) },
    { what: 'a 401', answer: saying(401, { code: 'AUTH_FAILED', reason: '' }) },
    { what: 'a 500', answer: saying(500, { code: 'INTERNAL_ERROR', reason: '' }) },
    { what: 'a 503', answer: saying(503, { code: 'SERVICE_UNAVAILABLE', reason: '' }) },
    { what: 'a redirect', answer: saying(302, '', { location: 'http://127.0.0.1:1/' }) },
    { what: 'a closed connection', answer: ({ socket }) => socket.destroy() },
    {
      what: 'half an answer',
      answer: ({ socket }, response) => {
        response.writeHead(200, { 'content-length': '99' })
        response.write('[', () => socket.destroy())
      },
    },
  ])('rejects as unavailable for $what', async ({ answer }) => {
    await expect(ask(await serveAnswer(answer))).rejects.toMatchObject(away)
  })
})

it.each<{ what: string; body: unknown; headers?: Record<string, string> }>([
  { what: 'a face without a score', body: [{ id: 1, conf: 1 }] },
  { what: 'a score above 1', body: [{ id: 1, conf: 1, score: 1.5 }] },
  { what: 'an id beyond the safe integers', body: [{ id: 2 ** 53, conf: 1, score: 1 }] },
  { what: 'an unknown field', body: [{ id: 1, conf: 1, score: 1, name: 'x' }] },
  { what: 'no X-Search-Stat', body: [], headers: { 'x-search-stat': '' } },
  { what: 'no X-Live-Servers', body: [], headers: { 'x-live-servers': '' } },
  { what: 'more live shards than shards', body: [], headers: { 'x-live-servers': '2/1' } },
])('openRemoteShard rejects a search as unavailable for $what', async ({ body, headers }) => {
  const store = await serveAnswer(saying(200, body, headers))
  await expect(store.search('a', probe, EVERYTHING)).rejects.toMatchObject(away)
})

it.each([
  { status: 409, code: 'FACE_EXISTS', refusal: { name: 'VectorRefused', why: 'duplicate' } },
  { status: 400, code: 'WRONG_DIMENSION', refusal: { name: 'VectorRefused', why: 'dimension' } },
  { status: 400, code: 'BAD_VECTOR', refusal: { name: 'VectorRefused', why: 'malformed' } },
  { status: 503, code: 'STORE_FULL', refusal: { name: 'StoreUnavailable', why: 'full' } },
  { status: 200, code: 'FACE_EXISTS', refusal: away },
])('openRemoteShard maps $status $code', async ({ status, code, refusal }) => {
  const store = await serveAnswer(saying(status, { code, reason: 'words' }))
  await expect(questions.add!(store)).rejects.toMatchObject(refusal)
})

it('openRemoteShard gives up an endless answer', async () => {
  const store = await serveAnswer((_, response) => {
    const chunk = Buffer.alloc(2 ** 20, '[')
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', more)
    more()
  })
  await expect(store.search('a', probe, EVERYTHING)).rejects.toMatchObject(away)
})

it('openRemoteShard removes the accepted vectors of an addition when one is refused', async () => {
  const vectors = await openVectorStore(folder)
  const core = await serveStore(vectors)
  onTestFinished(async () => {
    await core.close()
    await vectors.close()
  })
  const remote = openRemoteShard(core.origin)
  const entries = Array.from({ length: 40 }, (_, id) => ({ gallery: 'a', id, vector: probe }))
  await remote.add(entries.slice(-1))
  await expect(remote.add(entries)).rejects.toMatchObject({ why: 'duplicate' })
  expect((await remote.list('a', 0, 99)).vectors.map(({ id }) => id)).toEqual([39])
})

it('openRemoteShard needs the operator token of the other core', async () => {
  const operatorToken = 'the-token-of-the-operators-of-this-store'
  const vectors = await openVectorStore(folder)
  const core = await serveStore(vectors, { host: '0.0.0.0', operatorToken })
  onTestFinished(async () => {
    await core.close()
    await vectors.close()
  })
  expect(await openRemoteShard(core.origin, { token: operatorToken }).galleries()).toEqual([])
  for (const token of [undefined, 'wrong']) {
    await expect(openRemoteShard(core.origin, { token }).galleries()).rejects.toMatchObject(away)
  }
})
