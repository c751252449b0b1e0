/** How work is retried. */
import { expect, it } from 'vitest'
import { retry } from '#contract/environment.ts'

/** Work whose attempts have these outcomes. Errors are thrown. */
const workOf =
  (...outcomes: unknown[]) =>
  () => {
    const outcome = outcomes.shift()
    if (outcome instanceof Error) throw outcome
    return outcome
  }

const [away, broken] = [new Error('away'), new Error('broken')]
const isTemporary = (error: unknown) => error === away

it('retry repeats work after temporary errors only', async () => {
  const delays: unknown[] = []
  const delayMs = (...failed: unknown[]) => delays.push(failed)
  expect(await retry(workOf(away, away, 'done'), { isTemporary, delayMs })).toBe('done')
  expect(delays).toEqual([
    [1, away],
    [2, away],
  ])
  await expect(retry(workOf(away, broken, 'done'), { isTemporary })).rejects.toBe(broken)
  await expect(retry(workOf(away), {})).rejects.toBe(away)
})

it('retry ends with the outcome of the last attempt', async () => {
  const isDone = (result: unknown) => result === 3
  expect(await retry(workOf(1, 2, 3, 4), { isDone })).toBe(3)
  expect(await retry(workOf(1, 2, 3), { isDone, attempts: 2 })).toBe(2)
  expect(await retry(workOf(1, 2, 3), { isDone, forMs: 0 })).toBe(1)
  await expect(retry(workOf(away, away, 3), { isTemporary, attempts: 2 })).rejects.toBe(away)
})

it('retry ends its wait when the signal aborts', async () => {
  const signal = AbortSignal.abort(broken)
  await expect(retry(workOf(away, 1), { isTemporary, delayMs: 60_000, signal })).rejects.toBe(broken)
})
