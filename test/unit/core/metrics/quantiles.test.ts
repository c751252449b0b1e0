/** Quantiles of durations from the buckets of histograms. */
import { expect, it } from 'vitest'
import { quantileOf } from '#core/metrics/requests.ts'

/** Buckets up to 1, 2, 4 and any number of seconds, with these cumulated counts. */
const buckets = (...counts: number[]) => counts.map((count, i) => [[1, 2, 4, Infinity][i]!, count] as const)

it.each([
  [[], 0.5, undefined],
  [[0, 0, 0, 0], 0.5, undefined],
  [[10, 10, 10, 10], 0.5, 0.5],
  [[10, 20, 20, 20], 0.75, 1.5],
  [[10, 10, 20, 20], 0.99, 3.96],
  [[1, 1, 1, 100], 0.99, 4],
])('of buckets with %j the quantile %d is %d', (counts, q, is) => {
  const found = quantileOf(buckets(...counts), q)
  if (is === undefined) expect(found).toBeUndefined()
  else expect(found).toBeCloseTo(is, 6)
})
