/** Calls of core: signatures, the binding, and refusals. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { OWNER } from '#bench/harness/sample-faces.ts'
import { METRICS_HEADER } from '#contract/metrics.ts'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { RPC_VERSION, VERSION_HEADER } from '#contract/rpc/headers.ts'
import { rpcPath } from '#contract/rpc/operations.ts'
import { readSignature, signingKey, verifySignature } from '#contract/rpc/signature.ts'
import { type CoreClientOptions, coreClient } from '#edge/core-client/core-client.ts'

const SECRET = 'a secret of 32 letters or more ...'
const INVALID = { url: 'https://core.invalid', secret: SECRET }
const REQUEST = { owner: OWNER }

let origin = ''
let asked: IncomingHttpHeaders[]
let answer: RequestListener

beforeEach(async () => {
  asked = []
  answer = (_, response) => response.end(encodeFrame({ galleries: ['default'] }))
  const server: Server = createServer((request, response) => {
    asked.push(request.headers)
    request.resume().on('end', () => answer(request, response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

const client = (changes: Partial<CoreClientOptions> = {}) =>
  coreClient({ cores: [{ url: origin, secret: SECRET }], answerMs: 5_000, embedder: 'ours', ...changes })

describe('coreClient', () => {
  it('signs each call with the id of its key and a new nonce', async () => {
    const core = client()
    for (let time = 0; time < 2; time++) await core.call('galleries.list', REQUEST)
    const key = await signingKey(SECRET)
    const signatureHeaders = asked.map(headers => readSignature(name => headers[name] as string | undefined)!)
    const request = { method: 'POST', path: rpcPath('galleries.list'), body: encodeFrame(REQUEST) }
    for (const signature of signatureHeaders) {
      expect(signature.key).toBe(key.id)
      expect(await verifySignature(key, signature, request)).toBe(true)
    }
    expect(signatureHeaders[0]!.nonce).not.toBe(signatureHeaders[1]!.nonce)
  })

  it('sends metrics under its signature, and passes on their acknowledgement', async () => {
    const acknowledged: unknown[] = []
    const metrics = {
      carry: (core: string) => `counts for ${core}`,
      answered: (core: string, headers: Headers) =>
        void acknowledged.push([core, headers.get(METRICS_HEADER)]),
    }
    answer = (_, response) =>
      response.writeHead(404, { [METRICS_HEADER]: '5' }).end(encodeFrame({ code: 'NOT_FOUND', detail: {} }))
    await expect(client({ metrics }).call('galleries.list', REQUEST)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const [headers] = asked
    expect(headers![METRICS_HEADER]).toBe(`counts for ${origin}`)
    const request = { method: 'POST', path: rpcPath('galleries.list'), body: encodeFrame(REQUEST) }
    const signature = readSignature(name => headers![name] as string | undefined)!
    const key = await signingKey(SECRET)
    expect(await verifySignature(key, signature, { ...request, metrics: `counts for ${origin}` })).toBe(true)
    expect(await verifySignature(key, signature, request)).toBe(false)
    expect(acknowledged).toEqual([[origin, '5']])
  })

  it('sends the ids of the request that it belongs to, and no others', async () => {
    const core = client()
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await core.forRequest({ requestId: 'request-1', traceparent }).call('galleries.list', REQUEST)
    await core.forRequest({ requestId: 'request-2', traceparent: undefined }).call('galleries.list', REQUEST)
    await core.call('galleries.list', REQUEST)
    expect(asked.map(headers => [headers['x-request-id'], headers.traceparent])).toEqual([
      ['request-1', traceparent],
      ['request-2', undefined],
      [undefined, undefined],
    ])
  })

  it('sends calls and requests for pictures through the binding', async () => {
    const through = {
      fetch: (url: URL, init: RequestInit) => {
        expect(url.origin).toBe('https://core.invalid')
        return fetch(origin + url.pathname + url.search, init)
      },
    }
    const core = client({ cores: [INVALID], through })
    expect((await core.call('galleries.list', REQUEST)).response).toEqual({ galleries: ['default'] })
    expect((await core.picture('/pictures/a?b=c')).status).toBe(200)
    expect(asked).toHaveLength(2)
    await expect(client({ cores: [INVALID] }).call('galleries.list', REQUEST)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })

  it.each([
    {
      what: 'its signature',
      detail: { param: 'signature' },
      code: 'SERVICE_UNAVAILABLE',
    },
    { what: 'its token', detail: {}, code: 'AUTH_FAILED' },
  ])('reports $code when core refuses $what', async ({ detail, code }) => {
    answer = (_, response) => response.writeHead(401).end(encodeFrame({ code: 'AUTH_FAILED', detail }))
    await expect(client().call('galleries.list', REQUEST)).rejects.toMatchObject({ code })
  })
})

describe('coreClient with a core of an earlier version', () => {
  const OLDER = { [VERSION_HEADER]: String(RPC_VERSION - 1) }

  it('tells core its version, and takes answers that it understands', async () => {
    answer = (_, response) => response.writeHead(200, OLDER).end(encodeFrame({ galleries: ['default'] }))
    expect((await client().call('galleries.list', REQUEST)).response).toEqual({ galleries: ['default'] })
    expect(asked[0]![VERSION_HEADER]).toBe(String(RPC_VERSION))
  })

  it.each<[string, RequestListener]>([
    [
      'an operation',
      (_, response) =>
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":"NOT_FOUND"}'),
    ],
    [
      'a field of the request',
      (_, response) =>
        response.writeHead(500, OLDER).end(encodeFrame({ code: 'INTERNAL_ERROR', detail: {} })),
    ],
    ['a field of the answer', (_, response) => response.writeHead(200, OLDER).end(encodeFrame({}))],
  ])(
    'answers 503 and names the reason when core does not know %s, until core is upgraded',
    async (_, older) => {
      const distrusted: unknown[] = []
      const core = client({ onDistrust: (...values) => void distrusted.push(values) })
      const current = answer
      answer = older
      await expect(core.call('galleries.list', REQUEST)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        detail: { reason: expect.stringContaining('Upgrade core.') },
      })
      expect(distrusted).toEqual([[origin, 'version']])
      answer = current
      expect((await core.call('galleries.list', REQUEST)).response).toEqual({ galleries: ['default'] })
    },
  )
})
