import { describe, expect, it } from 'vitest'
import { newToken, tokenHash } from '../../../../../core/contract/model/token.ts'

describe('tokens', () => {
  it('have a recognisable prefix and differ from each other', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, newToken))
    for (const token of tokens) expect(token).toMatch(/^mien_[0-9A-Za-z]{40}[0-9a-f]{6}$/)
    expect(new Set(tokens).size).toBe(tokens.length)
  })

  it('are stood for by a hash that does not hold them', async () => {
    const token = await newToken()
    const hash = await tokenHash(token)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await tokenHash(token)).toBe(hash)
  })

  it('are refused without a look-up when a single letter is wrong', async () => {
    const token = await newToken()
    for (let i = 5; i < token.length; i++) {
      const other = token[i] === '0' ? '1' : '0'
      expect(await tokenHash(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined()
    }
  })

  it.each(['', 'mien_', 'x'.repeat(51), `mien_${'a'.repeat(46)}`])(
    'are refused when they are %j',
    async text => {
      expect(await tokenHash(text)).toBeUndefined()
    },
  )
})
