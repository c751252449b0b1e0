/** Batches of metrics: known labels, and a bounded size. */
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { type MetricsBatch, MetricsBatchSchema } from '#contract/metrics.ts'

const BATCH: MetricsBatch = {
  edge: '0123456789abcdef',
  number: 1,
  requests: [['enrol', 'OK', 2, 0.5]],
  stages: [['decode', 2, 0.25]],
  overloads: 0,
  active: 1,
  waiting: 0,
}

const accepts = (changes: object) => MetricsBatchSchema.safeParse({ ...BATCH, ...changes }).success

it('names that core does not know become one label', () => {
  const { requests } = MetricsBatchSchema.parse({ ...BATCH, requests: [['unknown', 'TEAPOT', 1, 0]] })
  expect(requests).toEqual([['other', 'other', 1, 0]])
})

it('the counts of an edge of 0.2.0 are read beside traces that an earlier core asked for', () => {
  expect(accepts({ traces: [{ trace: 'f'.repeat(32), operation: 'enrol' }] })).toBe(true)
})

it.each<[string, object]>([
  ['another field', { owner: 'acme' }],
  ['an edge of another form', { edge: 'http://edge' }],
  ['negative counts', { requests: [['enrol', 'OK', -1, 0]] }],
  ['an unknown stage', { stages: [['acme', 1, 1]] }],
  ['too many samples', { stages: Array(RPC_LIMITS.metricsSamples + 1).fill(['decode', 1, 1]) }],
  ['too many observations', { stages: Array(2).fill(['decode', RPC_LIMITS.metricsObservations, 1]) }],
])('a batch with %s is refused', (_, changes) => {
  expect(accepts(changes)).toBe(false)
})
