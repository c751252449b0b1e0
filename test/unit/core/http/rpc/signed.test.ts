/** Signed requests of the edge: accepted once, within the time window, with a known key. */

import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { METRICS_HEADER } from '#contract/metrics.ts'
import { rpcPath } from '#contract/operations/messages.ts'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import { type SigningKey, signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import { rejectionLog } from '#core/http/rpc/signed.ts'
import type { Facts } from '#core/log.ts'
import { times } from '#test/support/times.ts'
import { edgeHeaders, routesWith } from './edge-headers.ts'

const NOW = Date.UTC(2024, 4, 17)
const STARTED = NOW - 3_600_000
const PATH = rpcPath('galleries.list')
const BODY = encodeFrame({ owner: '0123456789abcdef01234567' })
const NOT_SIGNED = { code: 'AUTH_FAILED', detail: { param: 'signature' } }
const PASSING = { code: 'SERVICE_UNAVAILABLE', detail: {} }

const [current, previous] = await Promise.all(['current secret', 'previous secret'].map(signingKey))

let keys: SigningKey[]
let nonces: Nonces
let now: number
let answered: number
let refused: string[]
let counted: (string | undefined)[]
let routes: ReturnType<typeof routesWith>

beforeEach(() => {
  keys = [current!, previous!]
  nonces = new Nonces(STARTED)
  now = NOW
  answered = 0
  refused = []
  counted = []
  const list = async () => {
    answered++
    return { answer: { galleries: [] } }
  }
  routes = routesWith(list, {
    signatures: { keys: () => keys, nonces, now: () => now, onRejected: why => refused.push(why) },
    addBatch: text => {
      counted.push(text)
      return text === undefined ? undefined : '7'
    },
  })
})

const headersFor = (key = current!, time = NOW, metrics?: string) =>
  signedHeaders(key, { method: 'POST', path: PATH, body: BODY, metrics }, time)

interface Sent {
  headers: Record<string, string>
  path?: string
  body?: Uint8Array<ArrayBuffer>
}

async function send({ headers, path = PATH, body = BODY }: Sent) {
  const all = { ...headers, ...edgeHeaders('ours') }
  const response = await routes.request(path, { method: 'POST', headers: all, body })
  const { header } = decodeFrame(new Uint8Array(await response.arrayBuffer()))
  return { status: response.status, header }
}

describe('rpcRoutes', () => {
  it('answers a signed request, and refuses its repetition with 401', async () => {
    const headers = await headersFor()
    await expect(send({ headers })).toAnswer(200)
    expect(await send({ headers })).toEqual({ status: 401, header: NOT_SIGNED })
    expect(answered).toBe(1)
    expect(refused).toEqual(['repeated'])
  })

  it('answers one of many concurrent copies of a request', async () => {
    const headers = await headersFor()
    const outcomes = await Promise.all(times(20, () => send({ headers })))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answered).toBe(1)
  })

  it('refuses a request signed before the start of the process with 503', async () => {
    const headers = await headersFor(current, STARTED - 1)
    now = STARTED
    expect(await send({ headers })).toEqual({ status: 503, header: PASSING })
    expect(refused).toEqual(['forgotten'])
  })

  it('refuses a request with 503 when no nonce can be remembered', async () => {
    const small = new Nonces(STARTED, 1)
    nonces.remember = small.remember.bind(small)
    await expect(send({ headers: await headersFor() })).toAnswer(200)
    expect(await send({ headers: await headersFor() })).toEqual({ status: 503, header: PASSING })
    expect(refused).toEqual(['full'])
  })

  it.each([-RPC_LIMITS.signatureWindowMs, RPC_LIMITS.signatureWindowMs])(
    'accepts a clock difference of %d ms',
    async offset => {
      await expect(send({ headers: await headersFor(current, NOW + offset) })).toAnswer(200)
    },
  )

  it.each<[string, string, (headers: Record<string, string>) => Partial<Sent>]>([
    ['no signature headers', 'no stamp', () => ({ headers: {} })],
    ['another key', 'signature', headers => ({ headers: { ...headers, 'x-mien-key': previous!.id } })],
    ['an unknown key', 'unknown key', headers => ({ headers: { ...headers, 'x-mien-key': '0'.repeat(8) } })],
    ['another time', 'signature', headers => ({ headers: { ...headers, 'x-mien-time': String(NOW + 1) } })],
    ['another nonce', 'signature', headers => ({ headers: { ...headers, 'x-mien-nonce': '0'.repeat(32) } })],
    [
      'another signature',
      'signature',
      headers => ({ headers: { ...headers, 'x-mien-signature': '0'.repeat(64) } }),
    ],
    ['another body', 'signature', () => ({ body: encodeFrame({ owner: 'fedcba9876543210fedcba98' }) })],
    ['another operation', 'signature', () => ({ path: rpcPath('faces.page') })],
    ['a query', 'signature', () => ({ path: `${PATH}?a=1` })],
  ])('refuses a request with %s', async (_, why, change) => {
    const headers = await headersFor()
    expect(await send({ headers, ...change(headers) })).toEqual({ status: 401, header: NOT_SIGNED })
    expect(refused).toEqual([why])
    expect(answered).toBe(0)
    // The refusal does not use up the nonce of the original request.
    await expect(send({ headers })).toAnswer(200)
  })

  it.each([-RPC_LIMITS.signatureWindowMs - 1, RPC_LIMITS.signatureWindowMs + 1])(
    'refuses a clock difference of %d ms',
    async offset => {
      await expect(send({ headers: await headersFor(current, NOW + offset) })).toAnswer(401)
      expect(refused).toEqual(['clock'])
    },
  )
})

describe('rpcRoutes metrics', () => {
  const send = (headers: Record<string, string>, body = BODY) =>
    routes.request(PATH, {
      method: 'POST',
      headers: { ...headers, ...edgeHeaders('ours') },
      body,
    })

  it('counts and acknowledges a batch, also when it refuses the request', async () => {
    const headers = await headersFor(current, NOW, 'the counts')
    const response = await send({ ...headers, [METRICS_HEADER]: 'the counts' })
    expect(response.headers.get(METRICS_HEADER)).toBe('7')
    const body = encodeFrame({ owner: 'no owner' })
    const request = { method: 'POST', path: PATH, body, metrics: 'the counts' }
    const invalid = await signedHeaders(current!, request, NOW)
    const refusal = await send({ ...invalid, [METRICS_HEADER]: 'the counts' }, body)
    expect(refusal.status).toBe(500)
    expect(refusal.headers.get(METRICS_HEADER)).toBe('7')
    expect(counted).toEqual(['the counts', 'the counts'])
  })

  it.each([
    ['changed', 'the counts', 'other counts'],
    ['added', undefined, 'the counts'],
    ['removed', 'the counts', undefined],
  ])('refuses a request whose batch was %s after signing, and does not count it', async (_, signed, sent) => {
    const headers = await headersFor(current, NOW, signed)
    const response = await send({ ...headers, ...(sent !== undefined && { [METRICS_HEADER]: sent }) })
    expect(response.status).toBe(401)
    expect(response.headers.get(METRICS_HEADER)).toBeNull()
    expect(refused).toEqual(['signature'])
    expect(counted).toEqual([])
  })
})

it('rejectionLog logs each rejection, and the advice per reason once per RPC_LIMITS.trustAdviceMs', () => {
  const lines: ({ event: string } & Facts)[] = []
  let at = 0
  const tell = rejectionLog(
    (event, facts) => lines.push({ event, ...facts }),
    () => at,
  )
  for (let i = 0; i < 3; i++) tell('unknown key')
  tell('clock')
  tell('no stamp')
  expect(lines).toEqual([
    {
      event: 'signature rejected',
      why: 'unknown key',
      advice: expect.stringContaining('mien secrets show edge'),
    },
    { event: 'signature rejected', why: 'unknown key' },
    { event: 'signature rejected', why: 'unknown key' },
    { event: 'signature rejected', why: 'clock', advice: expect.stringContaining('clocks') },
    { event: 'signature rejected', why: 'no stamp' },
  ])
  at = RPC_LIMITS.trustAdviceMs
  tell('unknown key')
  expect(lines.at(-1)).toHaveProperty('advice')
})
