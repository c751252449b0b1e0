/** Histories of random requests, crashes and faults keep all promises, and a seed repeats its history. */
import { simulate } from './simulate.ts'

/** Number of seeds. */
const SEEDS = Number(process.env.MIEN_SIMULATED_SEEDS ?? 40)

it('repeats a history by its seed', async () => {
  const [first, second] = [await simulate(7), await simulate(7)]
  expect(first.failure).toBeUndefined()
  expect(second).toEqual(first)
})

it(`keeps the promises of the service in ${SEEDS} histories`, {
  tags: 'long',
  timeout: 60_000 + SEEDS * 10_000,
}, async () => {
  const failures: string[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { failure } = await simulate(seed)
    if (failure !== undefined) failures.push(`seed ${seed}: ${failure}`)
  }
  expect(failures, '`npm run simulate -- --seed N` repeats one').toEqual([])
})
