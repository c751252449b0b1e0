/** Signatures: which are valid, and which headers are accepted. */
import { sha256 } from '#contract/digest.ts'
import {
  readSignature,
  type Signable,
  signedHeaders,
  signingKey,
  verifySignature,
} from '#contract/rpc/signature.ts'

const request: Signable = { method: 'POST', path: '/internal/enrol', body: new Uint8Array([1, 2, 3]) }
const NOW = 1_700_000_000_000
const key = await signingKey('a secret of both halves')

const signatureOf = (headers: Record<string, string>) => readSignature(name => headers[name])
const requestSignature = async () => signatureOf(await signedHeaders(key, request, NOW))!

describe('verifySignature', () => {
  it.each<[string, Partial<Signable>]>([
    ['method', { method: 'GET' }],
    ['path', { path: '/internal/enrol?x' }],
    ['body', { body: new Uint8Array([1, 2, 4]) }],
  ])('refuses a request with another %s', async (_, change) => {
    expect(await verifySignature(key, await requestSignature(), { ...request, ...change })).toBe(false)
  })

  it('signingKey derives the id of a key from its secret only', async () => {
    expect((await requestSignature()).key).toBe(key.id)
    expect((await signingKey('a secret of both halves')).id).toBe(key.id)
    expect((await signingKey('another')).id).not.toBe(key.id)
  })
})

it.each([
  ['x-mien-key', ['', 'ffff', 'g'.repeat(8), 'F'.repeat(8), 'f'.repeat(9)]],
  ['x-mien-time', ['', 'now', '1e12', '-1', ' 1', '1'.repeat(16)]],
  ['x-mien-nonce', ['', '00', 'f'.repeat(31), 'f'.repeat(33), 'F'.repeat(32)]],
  ['x-mien-signature', ['', 'zz', '00', 'f'.repeat(63), 'f'.repeat(65), 'F'.repeat(64)]],
])('readSignature returns undefined for a missing or malformed %s', async (name, values) => {
  const headers = await signedHeaders(key, request, NOW)
  expect(signatureOf(headers)).toBeDefined()
  for (const value of values) expect(signatureOf({ ...headers, [name]: value })).toBeUndefined()
  delete headers[name]
  expect(signatureOf(headers)).toBeUndefined()
})

it('sha256 returns the standard hash of an empty text', async () => {
  expect(await sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
