/** Traced requests of an edge: which ones are recorded, and how they reach core. */
import { beforeEach, describe, expect, it } from 'vitest'
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import { MetricsBatchSchema } from '#contract/metrics.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { edgeMetrics } from '#edge/metrics.ts'
import { type EdgeTraces, edgeTraces } from '#edge/traces.ts'

const CORE = 'http://core-1'
const OTHER_CORE = 'http://core-2'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const SAMPLED = `00-${TRACE}-${PARENT}-01`
const UNSAMPLED = `00-${TRACE}-${PARENT}-00`
const OWNER = '0123456789abcdef01234567'

const OUTCOME = { operation: 'enrol', code: 'OK', owner: OWNER, faces: 2, ms: 212 } as const

let now: number
let traces: EdgeTraces

beforeEach(() => {
  now = 1_790_000_000_000
  traces = edgeTraces({ now: () => now, random: () => 0.5 })
})

describe('a request', () => {
  it.each([
    ['an unsampled traceparent', UNSAMPLED, '1', UNSAMPLED],
    ['an invalid traceparent, below the probability', 'somebody', '0.5', undefined],
    ['a sampled traceparent while core exports nothing', SAMPLED, null, SAMPLED],
    ['no traceparent while core exports nothing', undefined, null, undefined],
  ])('with %s is not recorded', (_, header, announced, sent) => {
    traces.learn(CORE, announced)
    const trace = traces.begin(header)
    trace.stage('decode', now, 1)
    trace.end(OUTCOME)
    expect(trace.traceparent).toBe(sent)
    traces.learn(CORE, '1')
    expect(traces.isPending()).toBe(false)
  })

  it('has whole and positive times when the clock is set back', () => {
    traces.learn(CORE, '1')
    const trace = traces.begin(SAMPLED)
    trace.stage('detect', now - 5_000, -5_000)
    trace.end({ ...OUTCOME, ms: -0.5 })
    expect(traces.take(CORE)).toMatchObject([{ ms: 0, stages: [['detect', 0, 0]] }])
  })
})

describe('recorded requests', () => {
  it('wait for a core that exports traces', () => {
    traces.learn(CORE, '1')
    traces.begin(SAMPLED).end(OUTCOME)
    expect(traces.isPending(OTHER_CORE)).toBe(false)
    expect(traces.take(OTHER_CORE)).toEqual([])
    expect(traces.isPending(CORE)).toBe(true)
    traces.learn(CORE, null)
    expect(traces.isPending()).toBe(false)
    traces.learn(OTHER_CORE, '1')
    expect(traces.take(OTHER_CORE)).toHaveLength(1)
  })

  it('go in valid batches of bounded length with all counts, and those beyond the bound are dropped', () => {
    traces.learn(CORE, '1')
    const metrics = edgeMetrics({ traces, now: () => now })
    for (let i = 0; i < RPC_LIMITS.tracesWaiting + 10; i++) {
      const trace = traces.begin(SAMPLED)
      for (let stage = 0; stage < RPC_LIMITS.tracedStages + 5; stage++)
        trace.stage('landmarks', now + 99_999, 99_999)
      trace.end({ ...OUTCOME, operation: 'deleteGalleryFacesWithMeta', code: 'EXPECTATION_FAILED' })
    }
    const times = [1, 30, 300, 40_000]
    for (const { name: operation } of OPERATIONS)
      for (const ms of times) metrics.request(operation, 'SERVICE_UNAVAILABLE', ms)
    for (let i = 0; i < 3 * RPC_LIMITS.metricsObservations; i++) metrics.request('listFaces', 'OK', 2)
    let arrived = 0
    let counted = 0
    for (let text: string | undefined; ; ) {
      now += RPC_LIMITS.metricsEveryMs
      text = metrics.carry(CORE)
      if (text === undefined) break
      expect(text.length).toBeLessThanOrEqual(RPC_LIMITS.metricsHeaderLength)
      const batch = MetricsBatchSchema.parse(JSON.parse(text))
      arrived += batch.traces?.length ?? 0
      counted += batch.requests.reduce((sum, [, , count]) => sum + count, 0)
      metrics.acknowledge(CORE, String(batch.number))
    }
    expect(arrived).toBe(RPC_LIMITS.tracesWaiting)
    expect(counted).toBe(times.length * OPERATIONS.length + 3 * RPC_LIMITS.metricsObservations)
    expect(metrics.isPending).toBe(false)
  })
})
