import { expect, it } from 'vitest'
import { inParallel } from '#console/galleries/in-parallel.ts'

it('inParallel runs each input once, a few at a time', async () => {
  const seen: number[] = []
  let running = 0
  let most = 0
  await inParallel(
    Array.from({ length: 20 }, (_, i) => i),
    3,
    async input => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 1))
      seen.push(input)
      running--
    },
  )
  expect(most).toBe(3)
  expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
})

it('inParallel starts nothing after the signal aborts', async () => {
  const aborter = new AbortController()
  const seen: number[] = []
  const run = async (input: number) => {
    seen.push(input)
    if (input === 2) aborter.abort()
  }
  await inParallel([1, 2, 3, 4], 1, run, aborter.signal)
  expect(seen).toEqual([1, 2])
})
