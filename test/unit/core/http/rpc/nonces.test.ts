/** Replay protection: each nonce is new once while its signing time is accepted. */
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'

const START = 1_700_000_000_000
const WINDOW = RPC_LIMITS.signatureWindowMs
const nonceOf = (number: number) => number.toString(16).padStart(8, '0').padEnd(32, '0')

describe('Nonces', () => {
  it('remembers a nonce until its signing time expires, also for a time in the future', () => {
    for (const ahead of [0, WINDOW]) {
      const nonces = new Nonces(START)
      expect(nonces.remember(nonceOf(7), START + ahead, START)).toBe('new')
      expect(nonces.remember(nonceOf(7), START + ahead, START + ahead + WINDOW)).toBe('repeated')
    }
  })

  it('reports requests signed before its start as forgotten', () => {
    const nonces = new Nonces(START)
    expect(nonces.remembers(START - 1, START)).toBe(false)
    expect(nonces.remembers(START, START)).toBe(true)
    expect(nonces.remember(nonceOf(7), START - 1, START)).toBe('forgotten')
  })

  it('reports a dropped nonce as forgotten, not as new, when the clock is set back', () => {
    const nonces = new Nonces(START)
    const later = START + 1.5 * WINDOW
    const back = later - WINDOW
    expect(nonces.remember(nonceOf(7), START, START)).toBe('new')
    expect(nonces.remember(nonceOf(8), later, later)).toBe('new')
    expect(nonces.remember(nonceOf(7), START, back)).toBe('forgotten')
  })

  it('begins again after a clock that was hours ahead, as after a restart', () => {
    const nonces = new Nonces(START + 24 * WINDOW)
    expect(nonces.remember(nonceOf(7), START - 1, START)).toBe('forgotten')
    expect(nonces.remember(nonceOf(7), START, START)).toBe('new')
    expect(nonces.remember(nonceOf(7), START, START)).toBe('repeated')
  })

  it('reports full at its limit, and new again when old nonces have expired', () => {
    const nonces = new Nonces(START, 2)
    const later = START + 2 * WINDOW
    expect([1, 2, 3].map(number => nonces.remember(nonceOf(number), START, START))).toEqual([
      'new',
      'new',
      'full',
    ])
    expect(nonces.remember(nonceOf(1), START, START)).toBe('repeated')
    expect(nonces.remember(nonceOf(3), later, later)).toBe('new')
  })
})
