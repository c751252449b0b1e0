/** Counts of an edge: none is lost or sent twice to a core, whatever is lost between them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { type MetricsBatch, MetricsBatchSchema } from '#contract/metrics.ts'
import { type EdgeMetrics, edgeMetrics } from '#edge/metrics.ts'

const CORE = 'http://core-1'
const OTHER_CORE = 'http://core-2'

let now: number
let metrics: EdgeMetrics

beforeEach(() => {
  now = 1_000_000
  metrics = edgeMetrics({ now: () => now, load: () => ({ active: 3, waiting: 2 }) })
})

/** The batch that a request to the core carries. */
function carried(core = CORE): MetricsBatch | undefined {
  now += RPC_LIMITS.metricsEveryMs
  const text = metrics.carry(core)
  return text === undefined ? undefined : MetricsBatchSchema.parse(JSON.parse(text))
}

function acknowledged(core = CORE): MetricsBatch | undefined {
  const batch = carried(core)
  if (batch) metrics.acknowledge(core, String(batch.number))
  return batch
}

const requestsIn = (batch: MetricsBatch | undefined): number =>
  batch?.requests.reduce((sum, [, , count]) => sum + count, 0) ?? 0

describe('a request', () => {
  it('carries responses by operation, code and bucket, with the sum of their seconds', () => {
    metrics.request('enrol', 'OK', 30)
    metrics.request('enrol', 'OK', 40)
    metrics.request('enrol', 'OK', 400)
    metrics.request('detect', 'AUTH_FAILED', 0)
    metrics.stage('decode', 12)
    metrics.overload()
    expect(acknowledged()).toMatchObject({
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
    expect(metrics.isPending).toBe(false)
  })

  it('carries a batch again until core acknowledges it, and nothing newer meanwhile', () => {
    metrics.request('enrol', 'OK', 10)
    const first = carried()
    metrics.request('verify', 'OK', 10)
    expect(carried()).toEqual(first)
    metrics.acknowledge(CORE, String(first!.number))
    const second = carried()
    expect(second!.requests).toEqual([['verify', 'OK', 1, 0.01]])
    expect(second!.number).toBeGreaterThan(first!.number)
  })

  it('is not acknowledged by another number, another core, or none', () => {
    metrics.request('enrol', 'OK', 10)
    const first = carried()
    metrics.acknowledge(CORE, null)
    metrics.acknowledge(CORE, String(first!.number + 1))
    metrics.acknowledge(OTHER_CORE, String(first!.number))
    expect(metrics.isPending).toBe(true)
    expect(carried()).toEqual(first)
  })

  it('carries a batch to one core only', () => {
    metrics.request('enrol', 'OK', 10)
    expect(requestsIn(carried())).toBe(1)
    expect(carried(OTHER_CORE)).toBeUndefined()
    metrics.request('verify', 'OK', 10)
    expect(carried(OTHER_CORE)!.requests).toEqual([['verify', 'OK', 1, 0.01]])
  })
})

it('two isolates have two names', () => {
  metrics.request('enrol', 'OK', 10)
  const other = edgeMetrics({ now: () => now })
  other.request('enrol', 'OK', 10)
  expect(MetricsBatchSchema.parse(JSON.parse(other.carry(CORE)!)).edge).not.toBe(carried()!.edge)
})
