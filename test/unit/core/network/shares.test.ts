/** Slots divided among owners. No owner takes all of them. */
import fc from 'fast-check'
import { type Release, shares } from '#core/network/target.ts'

/** Number of slots for an owner who takes as many as possible. */
function takeAll({ take }: ReturnType<typeof shares>, owner: string) {
  let taken = 0
  while (take(owner)) taken++
  return taken
}

it('shares lets an owner hold at most as many slots as are free, and reuses released slots', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.array(fc.nat(20)), (total, takers) => {
      const slots = shares(total)
      const held = new Map<string, Release[]>()
      let free = total
      for (const taker of takers) {
        const owner = String(taker)
        const own = held.get(owner) ?? []
        const slot = slots.take(owner)
        expect(slot !== undefined).toBe(own.length < free)
        if (!slot) continue
        free--
        held.set(owner, [...own, slot])
      }
      for (const slot of [...held.values()].flat()) slot()
      expect(takeAll(slots, 'new')).toBe(Math.ceil(total / 2))
    }),
  )
})
