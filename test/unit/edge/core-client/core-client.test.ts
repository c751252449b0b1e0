/** Calls of core: signatures, the binding, and refusals. */
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { METRICS_HEADER } from '#contract/metrics.ts'
import { rpcPath } from '#contract/operations/messages.ts'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { RPC_VERSION, VERSION_HEADER } from '#contract/rpc/message-headers.ts'
import { readSignature, signingKey, verifySignature } from '#contract/rpc/signature.ts'
import { type CoreClientOptions, coreClient } from '#edge/core-client/core-client.ts'
import { frame, healthyCore, type Place, SECRET, startPlace } from '#test/service/edge/core-places.ts'
import { OWNER } from '#test/support/sample-faces.ts'

const INVALID = { url: 'https://core.invalid', secret: SECRET }
const REQUEST = { owner: OWNER }
const ANSWER = { galleries: [] }

let core: Place

beforeEach(async () => {
  core = await startPlace()
})

const client = (changes: Partial<CoreClientOptions> = {}) =>
  coreClient({ cores: [{ url: core.url, secret: SECRET }], answerMs: 5_000, embedder: 'ours', ...changes })

/** The signature of a request, its key, and the signed text. */
const signatureOf = async (headers: IncomingHttpHeaders) => ({
  signature: readSignature(name => headers[name] as string | undefined)!,
  key: await signingKey(SECRET),
  request: { method: 'POST', path: rpcPath('galleries.list'), body: encodeFrame(REQUEST) },
})

const list = (changes?: Partial<CoreClientOptions>) => client(changes).call('galleries.list', REQUEST)

describe('coreClient', () => {
  it('signs each call with the id of its key and a new nonce', async () => {
    for (let time = 0; time < 2; time++) await list()
    const nonces = new Set<string>()
    for (const headers of core.headers) {
      const { signature, key, request } = await signatureOf(headers)
      nonces.add(signature.nonce)
      expect(signature.key).toBe(key.id)
      expect(await verifySignature(key, signature, request)).toBe(true)
    }
    expect(nonces.size).toBe(2)
  })

  it('sends metrics under its signature, and passes on their acknowledgement', async () => {
    const acknowledged: unknown[] = []
    const metrics = {
      carry: (core: string) => `counts for ${core}`,
      answered: (core: string, headers: Headers) =>
        void acknowledged.push([core, headers.get(METRICS_HEADER)]),
    }
    core.behave = (_, response) =>
      frame(response, 404, { code: 'NOT_FOUND', detail: {} }, { [METRICS_HEADER]: '5' })
    await expect(list({ metrics })).toBeRefused('NOT_FOUND')
    const [headers] = core.headers
    expect(headers![METRICS_HEADER]).toBe(`counts for ${core.url}`)
    const { signature, key, request } = await signatureOf(headers!)
    expect(await verifySignature(key, signature, { ...request, metrics: `counts for ${core.url}` })).toBe(
      true,
    )
    expect(await verifySignature(key, signature, request)).toBe(false)
    expect(acknowledged).toEqual([[core.url, '5']])
  })

  it('sends the id of the request that it belongs to, and no other', async () => {
    const sending = client()
    await sending.forRequest('request-1').call('galleries.list', REQUEST)
    await sending.forRequest('request-2').call('galleries.list', REQUEST)
    await sending.call('galleries.list', REQUEST)
    expect(core.headers.map(headers => headers['x-request-id'])).toEqual([
      'request-1',
      'request-2',
      undefined,
    ])
  })

  it('leads a recording to the core of its watcher', async () => {
    core.behave = (_, response) => frame(response, 404, { code: 'NOT_FOUND', detail: {} })
    const both = [core, await startPlace(core.behave)]
    const sending = client({ cores: both.map(({ url }) => ({ url, secret: SECRET })) })
    const watched = sending.stream('cameras.viewers', { owner: OWNER, token: '' })
    await expect(watched).toBeRefused('NOT_FOUND')
    const piece = { owner: OWNER, by: '', id: '', start: 0, size: 1, at: 0 }
    for (let time = 0; time < 3; time++)
      await expect(sending.call('recording.put', piece)).toBeRefused('NOT_FOUND')
    expect(both.map(({ asked }) => asked.length).sort()).toEqual([0, 4])
  })

  it('sends calls and requests for pictures through the binding', async () => {
    const through = {
      fetch: (url: URL, init: RequestInit) => {
        expect(url.origin).toBe('https://core.invalid')
        return fetch(core.url + url.pathname + url.search, init)
      },
    }
    const bound = { cores: [INVALID], through }
    expect((await list(bound)).response).toEqual(ANSWER)
    await expect(client(bound).picture('/pictures/a?b=c')).toAnswer(200)
    expect(core.asked).toHaveLength(2)
    await expect(list({ cores: [INVALID] })).toBeRefused('SERVICE_UNAVAILABLE')
  })

  it.each([
    {
      what: 'its signature',
      detail: { param: 'signature' },
      code: 'SERVICE_UNAVAILABLE',
      why: ['signature'],
    },
    { what: 'its token', detail: {}, code: 'AUTH_FAILED', why: [] },
  ])('reports $code when core refuses $what', async ({ detail, code, why }) => {
    const distrusted: string[] = []
    core.behave = (_, response) => frame(response, 401, { code: 'AUTH_FAILED', detail })
    const onDistrust = (_: string, reason: string) => void distrusted.push(reason)
    await expect(list({ onDistrust })).toBeRefused(code)
    expect(distrusted).toEqual(why)
  })
})

describe('coreClient with a core of an earlier version', () => {
  const OLDER = { [VERSION_HEADER]: String(RPC_VERSION - 1) }

  it('tells core its version, and takes answers that it understands', async () => {
    core.behave = (_, response) => frame(response, 200, ANSWER, OLDER)
    expect((await list()).response).toEqual(ANSWER)
    expect(core.headers[0]![VERSION_HEADER]).toBe(String(RPC_VERSION))
  })

  it.each<[string, RequestListener]>([
    [
      'an operation',
      (_, response) =>
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":"NOT_FOUND"}'),
    ],
    [
      'a field of the request',
      (_, response) => frame(response, 500, { code: 'INTERNAL_ERROR', detail: {} }, OLDER),
    ],
    ['a field of the answer', (_, response) => frame(response, 200, {}, OLDER)],
  ])(
    'answers 503 and names the reason when core does not know %s, until core is upgraded',
    async (_, older) => {
      const distrusted: unknown[] = []
      const sending = client({ onDistrust: (...values) => void distrusted.push(values) })
      core.behave = older
      await expect(sending.call('galleries.list', REQUEST)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        detail: { reason: expect.stringContaining('Upgrade core.') },
      })
      expect(distrusted).toEqual([[core.url, 'version']])
      core.behave = healthyCore
      expect((await sending.call('galleries.list', REQUEST)).response).toEqual(ANSWER)
    },
  )
})
