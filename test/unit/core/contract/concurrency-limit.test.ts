/** So much work at a time, in its order, and none that waits for too long. */
import { expect, it } from 'vitest'
import { concurrencyLimit } from '../../../../core/contract/concurrency-limit.ts'

const late = () => new Error('late')

it('runs so much at a time, in the order in which it came, whether it succeeds or not', async () => {
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

it('gives up what waits for too long, and goes on with what comes later', async () => {
  const inSlot = concurrencyLimit(1, 20, late)
  let finish = () => {}
  const held = inSlot(() => new Promise<void>(resolve => (finish = resolve)))
  await expect(inSlot(async () => 'never')).rejects.toThrow('late')
  finish()
  await held
  expect(await inSlot(async () => 'later')).toBe('later')
})
