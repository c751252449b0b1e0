/** Counts of an edge: none is lost or sent twice to a core, whatever is lost between them. */
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { METRICS_HEADER, type MetricsBatch, MetricsBatchSchema } from '#contract/metrics.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { type EdgeMetrics, edgeMetrics } from '#edge/metrics.ts'

const CORE = 'http://core-1'
const OTHER_CORE = 'http://core-2'

let now: number
let metrics: EdgeMetrics

const newMetrics = () => edgeMetrics({ now: () => now, load: () => ({ active: 3, waiting: 2 }) })

beforeEach(() => {
  now = 1_790_000_000_000
  metrics = newMetrics()
})

const count = (operation: 'enrol' | 'verify', ms: number) =>
  metrics.requestEnded({ operation, code: 'OK', ms })

/** The batch that a request to the core carries. */
function carried(core = CORE): MetricsBatch | undefined {
  now += RPC_LIMITS.metricsEveryMs
  const text = metrics.carry(core)
  expect(text?.length ?? 0).toBeLessThanOrEqual(RPC_LIMITS.metricsHeaderLength)
  return text === undefined ? undefined : MetricsBatchSchema.parse(JSON.parse(text))
}

const acknowledge = (number: number, core = CORE) =>
  metrics.answered(core, new Headers({ [METRICS_HEADER]: String(number) }))

const requestsIn = (batch: MetricsBatch | undefined) =>
  batch?.requests.reduce((sum, [, , count]) => sum + count, 0) ?? 0

describe('a request to core', () => {
  it('carries responses by operation, code and bucket, with the sum of their seconds', () => {
    for (const ms of [30, 40, 400]) count('enrol', ms)
    metrics.stageEnded('decode', now - 12)
    metrics.requestEnded({ operation: 'detect', code: 'AUTH_FAILED', ms: 0 }, true)
    const batch = carried()!
    expect(batch).toMatchObject({
      requests: [
        ['enrol', 'OK', 2, 0.07],
        ['enrol', 'OK', 1, 0.4],
        ['detect', 'AUTH_FAILED', 1, 0],
      ],
      stages: [['decode', 1, 0.012]],
      overloads: 1,
      active: 3,
      waiting: 2,
    })
    acknowledge(batch.number)
    expect(metrics.isPending).toBe(false)
  })

  it('carries a batch again, and nothing newer, until this core acknowledges its number', () => {
    count('enrol', 10)
    const first = carried()!
    count('verify', 10)
    acknowledge(first.number + 1)
    acknowledge(first.number, OTHER_CORE)
    expect(carried()).toEqual(first)
    acknowledge(first.number)
    const second = carried()!
    expect(second.requests).toEqual([['verify', 'OK', 1, 0.01]])
    expect(second.number).toBeGreaterThan(first.number)
  })

  it('carries a batch to one core only', () => {
    count('enrol', 10)
    expect(requestsIn(carried())).toBe(1)
    expect(carried(OTHER_CORE)).toBeUndefined()
    count('verify', 10)
    expect(carried(OTHER_CORE)!.requests).toEqual([['verify', 'OK', 1, 0.01]])
  })
})

it('two isolates have two names', () => {
  count('enrol', 10)
  const { edge } = carried()!
  metrics = newMetrics()
  count('enrol', 10)
  expect(carried()!.edge).not.toBe(edge)
})

it('times are positive when the clock is set back', () => {
  metrics.stageEnded('detect', now + 5_000)
  count('enrol', -5_000)
  expect(carried()).toMatchObject({ requests: [['enrol', 'OK', 1, 0]], stages: [['detect', 1, 0]] })
})

it('batches have a bounded length, and take all counts along', () => {
  const code = 'SERVICE_UNAVAILABLE'
  for (const { name: operation } of OPERATIONS)
    for (const ms of [1, 30, 300, 40_000]) metrics.requestEnded({ operation, code, ms })
  for (let i = 0; i < 3 * RPC_LIMITS.metricsObservations; i++) count('enrol', 212)
  let sum = 0
  for (let batch = carried(); batch; batch = carried()) {
    sum += requestsIn(batch)
    acknowledge(batch.number)
  }
  expect(sum).toBe(4 * OPERATIONS.length + 3 * RPC_LIMITS.metricsObservations)
  expect(metrics.isPending).toBe(false)
})
