import * as fc from 'fast-check'
import { FaceId, idSource } from '#contract/ids.ts'

describe('idSource', () => {
  it('returns unix milliseconds x 2,560 plus a counter', () => {
    const next = idSource(
      () => 1_500_000_000_123,
      () => 0.5,
    )
    expect(next()).toBe(1_500_000_000_123 * 2_560 + 1_280)
  })

  it('stays below 2^53 until the year 2080', () => {
    const next = idSource(
      () => Date.UTC(2080, 0, 1),
      () => 0.99,
    )
    expect(FaceId.safeParse(next()).success).toBe(true)
  })

  it('returns rising ids even when the clock stands still or goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_050 })), clock => {
        const ticks = [...clock]
        const next = idSource(() => ticks.shift() ?? 1_700_000_000_000)
        const ids = clock.map(() => next())
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
      }),
    )
  })
})
