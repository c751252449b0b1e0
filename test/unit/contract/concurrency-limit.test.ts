/** A limit of concurrent work, in order of arrival, with a longest wait. */
import { expect, it } from 'vitest'
import { concurrencyLimit } from '#contract/concurrency-limit.ts'

const late = () => new Error('late')

it('concurrencyLimit runs at most its count at a time, in order of arrival, after failures too', async () => {
  const inSlot = concurrencyLimit(2, 10_000, late)
  const begun: number[] = []
  let [running, most] = [0, 0]
  const work = (i: number) => async () => {
    begun.push(i)
    most = Math.max(most, ++running)
    await new Promise(resolve => setTimeout(resolve, 1))
    running--
    if (i % 3 === 0) throw new Error('failed')
    return i
  }
  const all = Array.from({ length: 20 }, (_, i) => i)
  const outcomes = await Promise.allSettled(all.map(i => inSlot(work(i))))
  expect(outcomes.map(({ status }) => status)).toEqual(all.map(i => (i % 3 === 0 ? 'rejected' : 'fulfilled')))
  expect([begun, most]).toEqual([all, 2])
})

it('concurrencyLimit rejects work that waits too long, and runs later work', async () => {
  const inSlot = concurrencyLimit(1, 20, late)
  let finish = () => {}
  const held = inSlot(() => new Promise<void>(resolve => (finish = resolve)))
  await expect(inSlot(async () => 'never')).rejects.toThrow('late')
  finish()
  await held
  expect(await inSlot(async () => 'later')).toBe('later')
})
