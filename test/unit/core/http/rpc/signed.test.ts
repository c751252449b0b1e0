/** The door of the edge: signed, in time, under a known key, and once. */
import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../../core/contract/limits.ts'
import { decodeFrame, encodeFrame } from '../../../../../core/contract/rpc/frame.ts'
import { EMBEDDER_HEADER, rpcPath } from '../../../../../core/contract/rpc/operations.ts'
import { type SigningKey, signedHeaders, signingKey } from '../../../../../core/contract/rpc/signature.ts'
import type { Handlers } from '../../../../../core/http/rpc/handlers.ts'
import { Nonces } from '../../../../../core/http/rpc/nonces.ts'
import { refusal, rpcRoutes } from '../../../../../core/http/rpc/rpc.ts'
import type { StreamHandlers } from '../../../../../core/http/rpc/stream-handlers.ts'

const NOW = Date.UTC(2024, 4, 17)
const STARTED = NOW - 3_600_000
const PATH = rpcPath('galleries.list')
const BODY = encodeFrame({ owner: '0123456789abcdef01234567' })
const NOT_SIGNED = { code: 'AUTH_FAILED', detail: { param: 'signature' } }
const PASSING = { code: 'SERVICE_UNAVAILABLE', detail: {} }

const [current, previous, foreign] = await Promise.all(
  ['the key that signs', 'the key before it', 'the key of somebody else'].map(signingKey),
)

let keys: SigningKey[]
let nonces: Nonces
let now: number
let answered: number
let refused: string[]
let routes: ReturnType<typeof rpcRoutes>

beforeEach(() => {
  keys = [current!, previous!]
  nonces = new Nonces(STARTED)
  now = NOW
  answered = 0
  refused = []
  const handlers = {
    async 'galleries.list'() {
      answered++
      return { answer: { galleries: [] } }
    },
  } as unknown as Handlers
  routes = rpcRoutes({
    handlers,
    readings: {} as StreamHandlers,
    door: { keys: () => keys, nonces, now: () => now, onRejected: why => refused.push(why) },
    embedder: 'ours',
    brokeOff: () => {},
  })
  routes.onError(refusal)
})

const stamped = (key = current!, time = NOW) =>
  signedHeaders(key, { method: 'POST', path: PATH, body: BODY }, time)

interface Sent {
  headers: Record<string, string>
  path?: string
  body?: Uint8Array<ArrayBuffer>
}

async function send({ headers, path = PATH, body = BODY }: Sent) {
  const all = { ...headers, [EMBEDDER_HEADER]: 'ours' }
  const response = await routes.request(path, { method: 'POST', headers: all, body })
  const { header } = decodeFrame(new Uint8Array(await response.arrayBuffer()))
  return { status: response.status, header }
}

describe('a signed question', () => {
  it('is answered, and not a second time', async () => {
    const headers = await stamped()
    expect((await send({ headers })).status).toBe(200)
    expect(await send({ headers })).toEqual({ status: 401, header: NOT_SIGNED })
    expect(answered).toBe(1)
    expect(refused).toEqual(['repeated'])
  })

  it('is answered once of many at a time', async () => {
    const headers = await stamped()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send({ headers })))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answered).toBe(1)
  })

  it('is not answered again by the process that was started after it', async () => {
    const headers = await stamped(current, STARTED - 1)
    now = STARTED
    expect(await send({ headers })).toEqual({ status: 503, header: PASSING })
    expect(refused).toEqual(['forgotten'])
  })

  it('is put off when there is no room to remember it', async () => {
    const small = new Nonces(STARTED, 1)
    nonces.remember = small.remember.bind(small)
    expect((await send({ headers: await stamped() })).status).toBe(200)
    expect(await send({ headers: await stamped() })).toEqual({ status: 503, header: PASSING })
    expect(refused).toEqual(['full'])
  })

  it.each([-LIMITS.signatureWindowMs, LIMITS.signatureWindowMs])('may be %d ms off', async offset => {
    expect((await send({ headers: await stamped(current, NOW + offset) })).status).toBe(200)
  })

  it.each<[string, string, (headers: Record<string, string>) => Partial<Sent>]>([
    ['no stamp', 'no stamp', () => ({ headers: {} })],
    ['no key', 'no stamp', headers => ({ headers: { ...headers, 'x-mien-key': '' } })],
    ['no time', 'no stamp', headers => ({ headers: { ...headers, 'x-mien-time': '' } })],
    ['no nonce', 'no stamp', headers => ({ headers: { ...headers, 'x-mien-nonce': '' } })],
    ['no signature', 'no stamp', headers => ({ headers: { ...headers, 'x-mien-signature': '' } })],
    ['another key', 'signature', headers => ({ headers: { ...headers, 'x-mien-key': previous!.id } })],
    [
      'a key that nobody knows',
      'unknown key',
      headers => ({ headers: { ...headers, 'x-mien-key': '0'.repeat(8) } }),
    ],
    ['another time', 'signature', headers => ({ headers: { ...headers, 'x-mien-time': String(NOW + 1) } })],
    ['another nonce', 'signature', headers => ({ headers: { ...headers, 'x-mien-nonce': '0'.repeat(32) } })],
    [
      'another signature',
      'signature',
      headers => ({ headers: { ...headers, 'x-mien-signature': '0'.repeat(64) } }),
    ],
    ['another body', 'signature', () => ({ body: encodeFrame({ owner: 'fedcba9876543210fedcba98' }) })],
    ['an empty body', 'signature', () => ({ body: new Uint8Array() })],
    ['another verb', 'signature', () => ({ path: rpcPath('faces.page') })],
    ['a query', 'signature', () => ({ path: `${PATH}?a=1` })],
  ])('with %s is not heard', async (_, why, change) => {
    const headers = await stamped()
    expect(await send({ headers, ...change(headers) })).toEqual({ status: 401, header: NOT_SIGNED })
    expect(refused).toEqual([why])
    expect(answered).toBe(0)
    // Nor does it use up the nonce of the question that it was made of.
    expect((await send({ headers })).status).toBe(200)
  })

  it.each([-LIMITS.signatureWindowMs - 1, LIMITS.signatureWindowMs + 1])(
    'is not heard %d ms off',
    async offset => {
      expect((await send({ headers: await stamped(current, NOW + offset) })).status).toBe(401)
      expect(refused).toEqual(['clock'])
    },
  )
})

describe('keys', () => {
  it('are accepted while they are kept: the new one at once, the one before until it is retired', async () => {
    expect((await send({ headers: await stamped(previous) })).status).toBe(200)
    keys = [current!]
    expect((await send({ headers: await stamped(previous) })).status).toBe(401)
    expect((await send({ headers: await stamped(current) })).status).toBe(200)
    expect(refused).toEqual(['unknown key'])
  })

  it('of others are none', async () => {
    const headers = { ...(await stamped(foreign)), 'x-mien-key': current!.id }
    expect((await send({ headers })).status).toBe(401)
    expect(refused).toEqual(['signature'])
  })
})
