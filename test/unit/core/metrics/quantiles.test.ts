/** Quantiles of durations from the buckets of histograms. */
import { describe, expect, it } from 'vitest'
import { quantileOf } from '#core/metrics/requests.ts'
import { quietMetrics } from './quiet-metrics.ts'

const INFINITE = Number.POSITIVE_INFINITY

describe('quantileOf', () => {
  it.each([
    { buckets: [], q: 0.5, is: undefined },
    {
      buckets: [
        [1, 0],
        [INFINITE, 0],
      ],
      q: 0.5,
      is: undefined,
    },
    {
      buckets: [
        [1, 10],
        [INFINITE, 10],
      ],
      q: 0.5,
      is: 0.5,
    },
    {
      buckets: [
        [1, 10],
        [2, 20],
        [INFINITE, 20],
      ],
      q: 0.75,
      is: 1.5,
    },
    {
      buckets: [
        [1, 10],
        [2, 10],
        [4, 20],
        [INFINITE, 20],
      ],
      q: 0.99,
      is: 3.96,
    },
    {
      buckets: [
        [1, 1],
        [2, 1],
        [INFINITE, 100],
      ],
      q: 0.99,
      is: 2,
    },
  ] as const)('the quantile $q of $buckets is $is', ({ buckets, q, is }) => {
    const found = quantileOf(buckets, q)
    if (is === undefined) expect(found).toBeUndefined()
    else expect(found).toBeCloseTo(is, 6)
  })
})

describe('the quantiles of operations', () => {
  it('are those of the edges, by operation, without the numbers of requests', async () => {
    const metrics = quietMetrics()
    metrics.request('enrol', 'OK', 9_000)
    expect(await metrics.quantiles()).toEqual([])
    metrics.addBatch(
      JSON.stringify({
        edge: '0123456789abcdef',
        number: 1,
        requests: [
          ['identify', 'OK', 98, 98 * 0.07],
          ['identify', 'OK', 2, 6],
          ['detect', 'BAD_IMAGE', 1, 0.2],
        ],
        stages: [],
        overloads: 0,
        active: 0,
        waiting: 0,
      }),
    )
    const [detect, identify] = await metrics.quantiles()
    expect(detect).toMatchObject({ operation: 'detect', p50: expect.closeTo(0.175, 6) })
    expect(identify).toEqual({
      operation: 'identify',
      p50: expect.closeTo(0.0755, 3),
      p99: expect.closeTo(3.75, 6),
    })
  })
})
