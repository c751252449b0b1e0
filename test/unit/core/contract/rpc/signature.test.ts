/** Signatures: what holds, what does not, and what a request may say of its own. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readSignature,
  type Signable,
  type SignatureHeaders,
  sha256,
  signedHeaders,
  signingKey,
  verifySignature,
} from '../../../../../core/contract/rpc/signature.ts'

const request: Signable = { method: 'POST', path: '/internal/enrol', body: new Uint8Array([1, 2, 3]) }
const NOW = 1_700_000_000_000
const key = await signingKey('a secret of both halves')

const stampOf = (headers: Record<string, string>): SignatureHeaders | undefined =>
  readSignature(name => headers[name])
const stamped = async (): Promise<SignatureHeaders> => stampOf(await signedHeaders(key, request, NOW))!

describe('signatures', () => {
  it('hold for what was signed', async () => {
    expect(await verifySignature(key, await stamped(), request)).toBe(true)
  })

  it.each<[string, Partial<Signable>]>([
    ['method', { method: 'GET' }],
    ['path', { path: '/internal/enrol?x' }],
    ['body', { body: new Uint8Array([1, 2, 4]) }],
  ])('do not hold for another %s', async (_, change) => {
    expect(await verifySignature(key, await stamped(), { ...request, ...change })).toBe(false)
  })

  it.each<[string, Partial<SignatureHeaders>]>([
    ['time', { time: String(NOW + 1) }],
    ['nonce', { nonce: '0'.repeat(32) }],
    ['signature', { signature: '0'.repeat(64) }],
  ])('do not hold under another %s', async (_, change) => {
    expect(await verifySignature(key, { ...(await stamped()), ...change }, request)).toBe(false)
  })

  it('do not hold under another key', async () => {
    expect(await verifySignature(await signingKey('two'), await stamped(), request)).toBe(false)
  })

  it('are another each time', async () => {
    const [one, two] = [await stamped(), await stamped()]
    expect(one.nonce).not.toBe(two.nonce)
    expect(one.signature).not.toBe(two.signature)
  })

  it('name a key by what follows from its secret', async () => {
    expect((await stamped()).key).toBe(key.id)
    expect((await signingKey('a secret of both halves')).id).toBe(key.id)
    expect((await signingKey('another')).id).not.toBe(key.id)
  })
})

describe('a stamp', () => {
  it.each([
    ['x-mien-key', ['', 'ffff', 'g'.repeat(8), 'F'.repeat(8), 'f'.repeat(9)]],
    ['x-mien-time', ['', 'now', '1e12', '-1', ' 1', '1'.repeat(16)]],
    ['x-mien-nonce', ['', '00', 'f'.repeat(31), 'f'.repeat(33), 'F'.repeat(32)]],
    ['x-mien-signature', ['', 'zz', '00', 'f'.repeat(63), 'f'.repeat(65), 'F'.repeat(64)]],
  ])('is none without a good %s', async (name, values) => {
    const headers = await signedHeaders(key, request, NOW)
    expect(stampOf(headers)).toBeDefined()
    for (const value of values) expect(stampOf({ ...headers, [name]: value })).toBeUndefined()
    delete headers[name]
    expect(stampOf(headers)).toBeUndefined()
  })

  it('is read or none, whatever the headers', () => {
    fc.assert(fc.property(fc.string(), text => void readSignature(() => text)))
  })
})

it('texts are hashed as everybody does', async () => {
  expect(await sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
