import * as fc from 'fast-check'
import { rateAllowance } from '#contract/rate-allowance.ts'

describe('rateAllowance', () => {
  it('allows the requests of one second at first, and refills with time', () => {
    const limit = rateAllowance(2)
    for (let i = 0; i < 2; i++) {
      expect(limit.wait(0)).toBe(0)
      limit.spend(0)
    }
    expect(limit.wait(0)).toBe(0.5)
    expect(limit.wait(250)).toBe(0.25)
    expect(limit.wait(500)).toBe(0)
    limit.spend(500)
    expect(limit.wait(500)).toBe(0.5)
  })

  it('allows one request at first for a rate below 1', () => {
    const limit = rateAllowance(0.1)
    expect(limit.wait(0)).toBe(0)
    limit.spend(0)
    expect(limit.wait(0)).toBe(10)
  })

  it('refills by a clock that went back, without waiting for the earlier time', () => {
    const limit = rateAllowance(1)
    limit.spend(1e9)
    expect(limit.wait(0)).toBe(1)
    expect(limit.wait(1000)).toBe(0)
  })

  it('allows a request after the announced wait, and never exceeds its rate plus the burst', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 100 })
    const rates = fc.double({ min: 0.1, max: 50, noNaN: true })
    fc.assert(
      fc.property(rates, gaps, (perSecond, gaps) => {
        const limit = rateAllowance(perSecond)
        let now = 0
        let spent = 0
        for (const gap of gaps) {
          now += gap
          const wait = limit.wait(now)
          if (wait === 0) {
            limit.spend(now)
            spent++
          } else {
            now += Math.ceil(wait * 1000)
            expect(limit.wait(now)).toBe(0)
          }
        }
        expect(spent).toBeLessThanOrEqual(Math.max(1, perSecond) + (now / 1000) * perSecond + 1e-6)
      }),
    )
  })
})
