/** Counts and traces of an edge: none is lost or sent twice to a core, whatever is lost between them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { METRICS_HEADER, type MetricsBatch, MetricsBatchSchema, TRACES_HEADER } from '#contract/metrics.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { type EdgeMetrics, edgeMetrics } from '#edge/metrics.ts'

const CORE = 'http://core-1'
const OTHER_CORE = 'http://core-2'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const SAMPLED = `00-${TRACE}-${PARENT}-01`
const UNSAMPLED = `00-${TRACE}-${PARENT}-00`
const OUTCOME = {
  operation: 'enrol',
  code: 'OK',
  owner: '0123456789abcdef01234567',
  faces: 2,
  ms: 212,
} as const

let now: number
let metrics: EdgeMetrics

const newMetrics = () =>
  edgeMetrics({ now: () => now, random: () => 0.5, load: () => ({ active: 3, waiting: 2 }) })

beforeEach(() => {
  now = 1_790_000_000_000
  metrics = newMetrics()
})

const count = (operation: 'enrol' | 'verify', ms: number) =>
  metrics.begin(undefined).end({ operation, code: 'OK', ms })

/** The batch that a request to the core carries. */
function carried(core = CORE): MetricsBatch | undefined {
  now += RPC_LIMITS.metricsEveryMs
  const text = metrics.carry(core)
  expect(text?.length ?? 0).toBeLessThanOrEqual(RPC_LIMITS.metricsHeaderLength)
  return text === undefined ? undefined : MetricsBatchSchema.parse(JSON.parse(text))
}

const acknowledge = (number: number, core = CORE) =>
  metrics.answered(core, new Headers({ [METRICS_HEADER]: String(number) }))

/** A response of a core that exports traces with this probability, or exports none. */
const announce = (probability: string | null) =>
  metrics.answered(CORE, new Headers(probability === null ? {} : { [TRACES_HEADER]: probability }))

const requestsIn = (batch: MetricsBatch | undefined): number =>
  batch?.requests.reduce((sum, [, , count]) => sum + count, 0) ?? 0

describe('a request to core', () => {
  it('carries responses by operation, code and bucket, with the sum of their seconds', () => {
    for (const ms of [30, 40, 400]) count('enrol', ms)
    const refused = metrics.begin(undefined)
    refused.stageEnded('decode', now - 12)
    refused.end({ operation: 'detect', code: 'AUTH_FAILED', ms: 0 }, true)
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

  it('carries a batch again until this core acknowledges its number, and nothing newer meanwhile', () => {
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

describe('a request of a caller', () => {
  it.each([
    ['an unsampled traceparent', UNSAMPLED, '1', UNSAMPLED],
    ['an invalid traceparent, below the probability', 'somebody', '0.5', undefined],
    ['a sampled traceparent while core exports nothing', SAMPLED, null, SAMPLED],
    ['no traceparent while core exports nothing', undefined, null, undefined],
  ])('with %s is not traced', (_, header, announced, sent) => {
    announce(announced)
    const request = metrics.begin(header)
    request.stageEnded('decode', now)
    request.end(OUTCOME)
    expect(request.traceparent).toBe(sent)
    announce('1')
    expect(carried()!.traces).toBeUndefined()
  })

  it('has whole and positive times when the clock is set back', () => {
    announce('1')
    const request = metrics.begin(SAMPLED)
    now -= 5_000
    request.stageEnded('detect', now + 1)
    request.end({ ...OUTCOME, ms: -0.5 })
    expect(carried()!.traces).toMatchObject([{ ms: 0, stages: [['detect', 0, 0]] }])
  })
})

describe('traced requests', () => {
  it('wait for a core that exports traces', () => {
    announce('1')
    metrics.begin(SAMPLED).end(OUTCOME)
    expect(carried(OTHER_CORE)!.traces).toBeUndefined()
    announce(null)
    expect(carried()).toBeUndefined()
    announce('1')
    expect(carried()!.traces).toHaveLength(1)
  })

  it('go in batches of bounded length with all counts, and those beyond the bound are dropped', () => {
    announce('1')
    for (let i = 0; i < RPC_LIMITS.tracesWaiting + 10; i++) {
      const request = metrics.begin(SAMPLED)
      for (let stage = 0; stage < RPC_LIMITS.tracedStages + 5; stage++)
        request.stageEnded('landmarks', now - 99_999)
      request.end({ ...OUTCOME, operation: 'deleteGalleryFacesWithMeta', code: 'EXPECTATION_FAILED' })
    }
    const code = 'SERVICE_UNAVAILABLE'
    for (const { name: operation } of OPERATIONS)
      for (const ms of [1, 30, 300, 40_000]) metrics.begin(UNSAMPLED).end({ operation, code, ms })
    for (let i = 0; i < 3 * RPC_LIMITS.metricsObservations; i++) metrics.begin(UNSAMPLED).end(OUTCOME)
    const batches: MetricsBatch[] = []
    for (let batch = carried(); batch; batch = carried()) {
      batches.push(batch)
      metrics.answered(CORE, new Headers({ [METRICS_HEADER]: String(batch.number), [TRACES_HEADER]: '1' }))
    }
    expect(batches.flatMap(({ traces = [] }) => traces)).toHaveLength(RPC_LIMITS.tracesWaiting)
    expect(batches.reduce((sum, batch) => sum + requestsIn(batch), 0)).toBe(
      RPC_LIMITS.tracesWaiting + 10 + 4 * OPERATIONS.length + 3 * RPC_LIMITS.metricsObservations,
    )
    expect(metrics.isPending).toBe(false)
  })
})
