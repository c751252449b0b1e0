/** Core over HTTP: authentication, answers, pictures and the log. */
import { ServiceError } from '#contract/errors.ts'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { type RpcOperation, type RpcRequest, rpcPath } from '#contract/operations/messages.ts'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import type { Facts } from '#core/log.ts'
import type { HandlerSources } from '#core/operations/handlers.ts'
import type { Services } from '#core/operations/services.ts'
import { enrolment, faceOf, OWNER } from '#test/support/sample-faces.ts'
import { emptyWorld } from '../operations/world.ts'
import { type Asked, openRoutes } from './asked.ts'

const { chip, thumbnail } = faceOf(1, 1, 1)

let core: Asked
let services: Services
let lines: ({ event: string } & Facts)[]
let ready = true

/** A core with these sources of photos. */
const coreWith = (sources: Partial<HandlerSources> = {}) =>
  openRoutes(services, {
    sources,
    isReady: async () => ready,
    log: (event, facts) => lines.push({ event, ...facts }),
  })

beforeEach(async () => {
  lines = []
  ready = true
  services = await emptyWorld()
  core = await coreWith()
})

const ask = <V extends RpcOperation>(verb: V, request: RpcRequest<V>, blobs: Uint8Array[] = []) =>
  core.post(rpcPath(verb), request, blobs)

const identifyIn = (gallery: string) =>
  ask('identify', { owner: OWNER, gallery, threshold: 0, limit: 1 }, [chip.data])

const frameOf = async (response: Response) => decodeFrame(new Uint8Array(await response.arrayBuffer()))

const LIST = rpcPath('galleries.list')
const QUESTION = encodeFrame({ owner: OWNER })

describe('a call of the edge', () => {
  it('that fails gets the code, the detail and the status of the error', async () => {
    const response = await ask('face.get', { owner: OWNER, id: 5 })
    expect(response.status).toBe(404)
    expect((await frameOf(response)).header).toEqual({ code: 'NOT_FOUND', detail: {} })
    expect((await frameOf(await identifyIn('x'))).header).toEqual({
      code: 'BAD_PARAM',
      detail: { param: 'gallery', value: 'x', reason: 'There is no gallery "x".' },
    })
  })

  it('that is too long is refused before it is read', async () => {
    const response = await core.send(LIST, QUESTION, {
      'content-length': String(REQUEST_LIMITS.bodyBytes + 1),
    })
    expect(response.status).toBe(413)
    expect((await frameOf(response)).header).toEqual({ code: 'PHOTO_TOO_LARGE', detail: {} })
  })

  it.each([
    { what: 'no frame', verb: 'compare', body: new Uint8Array(3) },
    { what: 'fewer chips than announced', verb: 'compare', body: encodeFrame({ first: 2 }, [chip.data]) },
    {
      what: 'chip and thumbnail swapped',
      verb: 'enrol',
      body: encodeFrame(enrolment(1), [thumbnail.data, chip.data]),
    },
    { what: 'two photos', verb: 'photo.analyze', body: encodeFrame({ param: 'a' }, [chip.data, chip.data]) },
  ] as const)('with $what is an INTERNAL_ERROR without details', { tags: 'long' }, async ({ verb, body }) => {
    const response = await core.send(rpcPath(verb), body)
    expect(response.status).toBe(500)
    expect((await frameOf(response)).header).toEqual({ code: 'INTERNAL_ERROR', detail: {} })
  })
})

it('GET /pictures answers 404 for any folder', async () => {
  for (const path of ['', '/', `/${OWNER}`, `/${OWNER}/`, `/${OWNER}/00`, '/..', '/%2e%2e/secrets.json']) {
    const response = await core.fetch(`/pictures${path}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', request_id: expect.any(String) })
  }
})

it('/healthz answers while the process runs, /readyz while core takes work', async () => {
  await expect(core.fetch('/healthz')).toAnswer(200)
  await expect(core.fetch('/readyz')).toAnswer(200)
  const isFull = vi.spyOn(services.diskSpace, 'isFull').mockResolvedValue(true)
  onTestFinished(() => isFull.mockRestore())
  const full = await core.fetch('/readyz')
  expect(full.status).toBe(200)
  expect(await full.json()).toMatchObject({ status: 'degraded', reason: 'disk full' })
  ready = false
  await expect(core.fetch('/readyz')).toAnswer(503)
  await expect(core.fetch('/healthz')).toAnswer(200)
})

describe('the log of requests', () => {
  it('has a line per request with the id of the caller', async () => {
    const response = await core.send(LIST, QUESTION, { 'x-request-id': 'given-id-1' })
    expect(response.headers.get('x-request-id')).toBe('given-id-1')
    expect(lines).toEqual([
      {
        event: 'request',
        method: 'POST',
        route: LIST,
        status: 200,
        ms: expect.any(Number),
        request_id: 'given-id-1',
      },
    ])
  })

  it('contains no path, query, value or error message of a caller', async () => {
    await core.fetch('/secret-path?secret=query')
    await core.fetch('/pictures/secret?signature=secret')
    await core.post(rpcPath('compare'), { first: 'secret' })
    await identifyIn('secret')
    expect(lines.map(line => line.event)).toEqual(['request', 'request', 'failure', 'request', 'request'])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })
})

it('an unknown exception is answered and logged without its message', async () => {
  const broken = new Error('secret', { cause: new ServiceError('BAD_IMAGE') })
  const fetchPhoto = () => Promise.reject(broken)
  core = await coreWith({ fetchPhoto })
  const response = await ask('photo.fetch', { owner: OWNER, url: 'http://example.com' })
  expect(response.status).toBe(500)
  expect((await frameOf(response)).header).toEqual({ code: 'INTERNAL_ERROR', detail: {} })
  expect(lines.find(line => line.event === 'failure')).toMatchObject({
    error: 'Error < ServiceError BAD_IMAGE',
    at: expect.stringContaining('app.test.ts'),
  })
})
