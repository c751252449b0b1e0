/** Blocks of a growing memory: they never overlap, and merge when all are returned. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BuddyAllocator, GREATEST_ORDER, SMALLEST_ORDER } from '#core/vector-store/codes/code-memory.ts'

describe('BuddyAllocator', () => {
  it('returns aligned blocks that never overlap, and merges returned blocks', () => {
    const order = fc.integer({ min: SMALLEST_ORDER, max: GREATEST_ORDER })
    const step = fc.record({ order, give: fc.option(fc.nat()) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), steps => {
        const buddies = new BuddyAllocator()
        buddies.grow(0)
        buddies.grow(2 ** GREATEST_ORDER)
        const taken: { from: number; order: number }[] = []
        for (const { order, give } of steps) {
          if (give !== null && taken.length > 0) {
            const [block] = taken.splice(give % taken.length, 1)
            buddies.give(block!.from, block!.order)
            continue
          }
          const from = buddies.take(order)
          if (from === undefined) continue
          expect(from % 2 ** order).toBe(0)
          for (const other of taken) {
            expect(from >= other.from + 2 ** other.order || other.from >= from + 2 ** order).toBe(true)
          }
          taken.push({ from, order })
        }
        for (const block of taken) buddies.give(block.from, block.order)
        expect([buddies.take(GREATEST_ORDER), buddies.take(GREATEST_ORDER)].sort()).toEqual([
          0,
          2 ** GREATEST_ORDER,
        ])
        expect(buddies.take(SMALLEST_ORDER)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })
})
