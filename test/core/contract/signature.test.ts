import { describe, expect, it } from 'vitest'
import { type Signed, sha256, sign, signatureHolds, signingKey } from '../../../core/contract/signature.ts'

const signed: Signed = {
  time: '1700000000000',
  method: 'POST',
  path: '/internal/enrol',
  body: new Uint8Array([1, 2, 3]),
}

describe('signatures', () => {
  it('hold for what was signed', async () => {
    const key = await signingKey('a secret of both halves')
    expect(await signatureHolds(key, signed, await sign(key, signed))).toBe(true)
  })

  it.each<[string, Partial<Signed>]>([
    ['time', { time: '1700000000001' }],
    ['method', { method: 'GET' }],
    ['path', { path: '/internal/enrol?x' }],
    ['body', { body: new Uint8Array([1, 2, 4]) }],
  ])('do not hold for another %s', async (_, change) => {
    const key = await signingKey('a secret of both halves')
    expect(await signatureHolds(key, { ...signed, ...change }, await sign(key, signed))).toBe(false)
  })

  it('do not hold under another key', async () => {
    const signature = await sign(await signingKey('one'), signed)
    expect(await signatureHolds(await signingKey('two'), signed, signature)).toBe(false)
  })

  it.each(['', 'zz', '00', 'f'.repeat(63), 'f'.repeat(65)])(
    'do not hold when they are %j',
    async signature => {
      expect(await signatureHolds(await signingKey('a'), signed, signature)).toBe(false)
    },
  )

  it('hash as everybody does', async () => {
    expect(await sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
})
