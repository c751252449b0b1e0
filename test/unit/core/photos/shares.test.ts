/** Places and their owners. No owner takes all of them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Release, shares } from '../../../../core/photos/shares.ts'

/** How many places the owner gets who takes all they can. */
function takeAll({ take }: ReturnType<typeof shares>, owner: string): number {
  let taken = 0
  while (take(owner)) taken++
  return taken
}

it('gives a lone owner half of the places, and the next one half of the rest', () => {
  const places = shares(32)
  expect(takeAll(places, 'a')).toBe(16)
  expect(takeAll(places, 'b')).toBe(8)
  expect(takeAll(places, 'a')).toBe(0)
})

it('leaves a place for one more owner, however many take all they can', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.array(fc.nat(20)), (total, takers) => {
      const places = shares(total)
      const held = new Map<string, Release[]>()
      let free = total
      for (const taker of takers) {
        const owner = String(taker)
        const own = held.get(owner) ?? []
        const place = places.take(owner)
        expect(place !== undefined).toBe(own.length < free)
        if (!place) continue
        free--
        held.set(owner, [...own, place])
      }
      for (const place of [...held.values()].flat()) place()
      expect(takeAll(places, 'new')).toBe(Math.ceil(total / 2))
    }),
  )
})
