import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateAllowance } from '../../../../core/contract/rate-allowance.ts'

describe('an allowance', () => {
  it('is what a second brings at first, and comes back with time', () => {
    const kept = rateAllowance(2)
    for (let i = 0; i < 2; i++) {
      expect(kept.wait(0)).toBe(0)
      kept.spend(0)
    }
    expect(kept.wait(0)).toBe(0.5)
    expect(kept.wait(250)).toBe(0.25)
    expect(kept.wait(500)).toBe(0)
    kept.spend(500)
    expect(kept.wait(500)).toBe(0.5)
  })

  it('below one a second is one at first', () => {
    const kept = rateAllowance(0.1)
    expect(kept.wait(0)).toBe(0)
    kept.spend(0)
    expect(kept.wait(0)).toBe(10)
  })

  it('is not changed by a clock that goes back', () => {
    const kept = rateAllowance(1)
    kept.spend(1000)
    expect(kept.wait(0)).toBe(1)
    expect(kept.wait(1000)).toBe(1)
  })

  it('is there after the time it said, though it came in parts', () => {
    const kept = rateAllowance(0.1)
    kept.spend(0)
    kept.wait(457)
    expect(kept.wait(457 + Math.ceil(kept.wait(457) * 1000))).toBe(0)
  })

  it('is there after the time it said, and over any time brings what it may and no more', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 100 })
    const rates = fc.double({ min: 0.1, max: 50, noNaN: true })
    fc.assert(
      fc.property(rates, gaps, (perSecond, gaps) => {
        const kept = rateAllowance(perSecond)
        let now = 0
        let spent = 0
        for (const gap of gaps) {
          now += gap
          const wait = kept.wait(now)
          if (wait === 0) {
            kept.spend(now)
            spent++
          } else {
            now += Math.ceil(wait * 1000)
            expect(kept.wait(now)).toBe(0)
          }
        }
        expect(spent).toBeLessThanOrEqual(Math.max(1, perSecond) + (now / 1000) * perSecond + 1e-6)
      }),
    )
  })
})
