/** The table of ids behaves like a Map. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { IdTable } from '#core/vector-store/codes/id-table.ts'

it('IdTable finds the same addresses as a Map after any additions, moves and removals', () => {
  // Few ids, which therefore repeat, over all 53 bits.
  const id = fc.nat(250).map(n => (n % 3 === 0 ? n : n % 3 === 1 ? n * 2 ** 32 : Number.MAX_SAFE_INTEGER - n))
  const step = fc.record({ id, what: fc.constantFrom('add', 'add', 'move', 'remove') })
  fc.assert(
    fc.property(fc.array(step, { minLength: 300, maxLength: 1_500 }), steps => {
      const idAt = new Map<number, number>()
      const addresses = new Map<number, number>()
      const table = new IdTable(address => idAt.get(address)!)
      let next = 16
      for (const { id, what } of steps) {
        const address = addresses.get(id)
        if (what === 'add' && address === undefined) {
          idAt.set(next, id)
          table.add(id, next)
          addresses.set(id, next)
          next += 16
        } else if (what === 'move' && address !== undefined) {
          idAt.set(next, id)
          table.move(id, next)
          addresses.set(id, next)
          idAt.delete(address)
          next += 16
        } else if (what === 'remove' && address !== undefined) {
          table.remove(id)
          addresses.delete(id)
          idAt.delete(address)
        }
      }
      for (const { id } of steps) expect(table.find(id)).toBe(addresses.get(id))
    }),
    { numRuns: 200 },
  )
})
