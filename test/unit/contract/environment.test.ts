/** How work is retried. */
import { retry } from '#contract/environment.ts'

const away = new Error('away')
const isTemporary = (error: unknown) => error === away

/** Work with these outcomes. Errors are thrown. */
const workOf = (...outcomes: unknown[]) => {
  const left = outcomes.values()
  return () => {
    const { value } = left.next()
    if (value instanceof Error) throw value
    return value
  }
}

it('retry repeats work after temporary errors only, until the last attempt', async () => {
  const isDone = (result: unknown) => result === 3
  expect(await retry(workOf(away, 1, away, 3), { isTemporary, isDone })).toBe(3)
  expect(await retry(workOf(1, 2, 3), { isDone, attempts: 2 })).toBe(2)
  expect(await retry(workOf(1, 2, 3), { isDone, forMs: 0 })).toBe(1)
  await expect(retry(workOf(away, away, 3), { isTemporary, attempts: 2 })).rejects.toBe(away)
  await expect(retry(workOf(new RangeError(), 3), { isTemporary })).rejects.toThrow(RangeError)
})

it('retry counts failures for the delay, and ends its wait when the signal aborts', async () => {
  const stop = new AbortController()
  const delayMs = (failures: number, error: unknown) => {
    if (failures < 3) return 0
    stop.abort(new RangeError())
    return error === away ? 60_000 : 0
  }
  const work = workOf(away, away, away, 3)
  await expect(retry(work, { isTemporary, delayMs, signal: stop.signal })).rejects.toThrow(RangeError)
})
