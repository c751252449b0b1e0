/** Work on several items at a time, which stops at a failure. */
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachAtOnce } from '#core/pictures/objects.ts'

it('eachAtOnce processes each item once, with at most `count` at a time', async () => {
  const sizes = fc.record({
    count: fc.integer({ min: 1, max: 5 }),
    items: fc.array(fc.nat(3), { maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(sizes, async ({ count, items }) => {
      const done: number[] = []
      let under = 0
      let most = 0
      await eachAtOnce(count, items.entries(), async ([i, turns]) => {
        most = Math.max(most, ++under)
        for (let turn = 0; turn < turns; turn++) await setImmediate()
        under--
        done.push(i)
      })
      expect(done.toSorted((a, b) => a - b)).toEqual([...items.keys()])
      expect(most).toBeLessThanOrEqual(count)
    }),
  )
})

it('eachAtOnce rejects with the first failure after the work in progress, and starts no other', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = eachAtOnce(3, Array.from({ length: 20 }).keys(), async i => {
    begun.push(i)
    if (i === 1) throw new Error('the second')
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    ended.push(i)
  })
  await expect(work).rejects.toThrow('the second')
  expect(begun).toEqual([0, 1, 2])
  expect(ended).toEqual([0, 2])
})
