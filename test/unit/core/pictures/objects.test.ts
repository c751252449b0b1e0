/** Work on several items at a time, which stops at a failure. */
import { setImmediate } from 'node:timers/promises'
import { eachAtOnce } from '#core/pictures/objects.ts'

it('eachAtOnce rejects with the first failure after the work in progress, and starts no other', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = eachAtOnce(3, Array(20).keys(), async i => {
    begun.push(i)
    if (i === 1) throw new Error('the second')
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    ended.push(i)
  })
  await expect(work).rejects.toThrow('the second')
  expect(begun).toEqual([0, 1, 2])
  expect(ended).toEqual([0, 2])
})
