import { describe, expect, it } from 'vitest'
import { newToken, tokenHash } from '#contract/model/token.ts'

describe('token', () => {
  it('newToken returns different tokens with the prefix mien_', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, newToken))
    for (const token of tokens) expect(token).toMatch(/^mien_[0-9A-Za-z]{40}[0-9a-f]{6}$/)
    expect(new Set(tokens).size).toBe(tokens.length)
  })

  it('tokenHash returns the same 64 hexadecimal digits for the same token', async () => {
    const token = await newToken()
    const hash = await tokenHash(token)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await tokenHash(token)).toBe(hash)
  })

  it('tokenHash returns undefined when one character is wrong', async () => {
    const token = await newToken()
    for (let i = 5; i < token.length; i++) {
      const other = token[i] === '0' ? '1' : '0'
      expect(await tokenHash(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined()
    }
  })

  it.each(['', 'mien_', 'x'.repeat(51), `mien_${'a'.repeat(46)}`])(
    'tokenHash returns undefined for %j',
    async text => {
      expect(await tokenHash(text)).toBeUndefined()
    },
  )
})
