/** The metrics of core: counts of edges are added once, and the state is the current one. */
import { RPC_LIMITS } from '#contract/limits/rpc.ts'
import type { MetricsBatch } from '#contract/metrics.ts'
import { quantileOf } from '#core/metrics/requests.ts'
import { quietMetrics } from './quiet-metrics.ts'

const BATCH: MetricsBatch = {
  edge: '0123456789abcdef',
  number: 7,
  requests: [['enrol', 'OK', 3, 0.9]],
  stages: [['decode', 2, 0.02]],
  overloads: 2,
  active: 4,
  waiting: 1,
}

const text = (changes: Partial<MetricsBatch> = {}) => JSON.stringify({ ...BATCH, ...changes })

const ENROLMENTS = 'mien_requests_total{half="edge",operation="enrol",code="OK"}'

describe('a batch of an edge', () => {
  it('is added to the metrics, and acknowledged by its number', async () => {
    const metrics = quietMetrics()
    expect(metrics.addBatch(text())).toBe('7')
    const all = await metrics.text()
    for (const line of [
      `${ENROLMENTS} 3`,
      'mien_request_duration_seconds_bucket{le="0.25",half="edge",operation="enrol"} 0',
      'mien_request_duration_seconds_bucket{le="0.5",half="edge",operation="enrol"} 3',
      'mien_stage_duration_seconds_count{half="edge",stage="decode"} 2',
      'mien_edge_overloads_total 2',
      'mien_edges 1',
      'mien_edge_requests{state="active"} 4',
      'mien_edge_requests{state="waiting"} 1',
    ])
      expect(all).toContain(`${line}\n`)
    expect(all).toMatch(/mien_request_duration_seconds_sum\{half="edge",operation="enrol"\} 0\.(9|8999)\d*\n/)
  })

  it('is acknowledged again and not added again, also when an older one arrives late', async () => {
    const metrics = quietMetrics()
    metrics.addBatch(text())
    expect(metrics.addBatch(text())).toBe('7')
    expect(metrics.addBatch(text({ number: 6 }))).toBe('6')
    expect(await metrics.text()).toContain(`${ENROLMENTS} 3\n`)
    metrics.addBatch(text({ number: 8 }))
    expect(await metrics.text()).toContain(`${ENROLMENTS} 6\n`)
  })

  it('of an edge that has been silent for long no longer counts as load', async () => {
    let now = 0
    const metrics = quietMetrics({}, () => now)
    metrics.addBatch(text())
    now = RPC_LIMITS.metricsEdgeMs + 1
    const all = await metrics.text()
    expect(all).toContain('mien_edges 0\n')
    expect(all).toContain('mien_edge_requests{state="active"} 0\n')
    expect(all).toContain(`${ENROLMENTS} 3\n`)
  })
})

it('the times of backups are Unix times, without a value for never', async () => {
  const times = {
    requested: undefined,
    started: 1_789_999_990_000_000,
    completed: 1_790_000_000_000_000,
    failed: undefined,
    drilled: 1_790_000_001_500_000,
  }
  const text = await quietMetrics({ backups: async () => times }).text()
  expect(text).toContain('\nmien_backup_last_success_timestamp_seconds 1790000000\n')
  expect(text).toContain('\nmien_backup_drill_last_success_timestamp_seconds 1790000001.5\n')
  expect(text).not.toMatch(/\nmien_backup_last_failure_timestamp_seconds \d/)
})

describe('the state', () => {
  it('is the state of each shard by its place in the layout', async () => {
    const contents = { galleries: 2, linear: 10, preindex: 20, indexed: 300, unindexed: 25, building: 1 }
    const full = { isAvailable: true, contents: { ...contents, commits: 5, committed: 40 } }
    const all = await quietMetrics({ shards: async () => [full, { isAvailable: false }] }).text()
    for (const line of [
      'up{shard="0"} 1',
      'up{shard="1"} 0',
      'galleries{shard="0"} 2',
      'vectors{shard="0",space="linear"} 10',
      'vectors{shard="0",space="indexed"} 300',
      'unindexed_vectors{shard="0"} 25',
      'index_builds{shard="0"} 1',
      'commits_total{shard="0"} 5',
      'committed_vectors_total{shard="0"} 40',
    ])
      expect(all).toContain(`mien_shard_${line}\n`)
    expect(all).not.toContain('mien_shard_vectors{shard="1"')
  })

  it('names unavailable parts, and full ones', async () => {
    const away = () => Promise.reject(new Error('away'))
    const metrics = quietMetrics({
      database: away,
      bucket: away,
      replica: away,
      isDiskFull: async () => true,
      diskFree: async () => 4096,
      missingVectors: () => 3,
    })
    const all = await metrics.text()
    for (const line of [
      'mien_database_up 0',
      'mien_bucket_up 0',
      'mien_replica_up 0',
      'mien_disk_full 1',
      'mien_disk_free_bytes 4096',
      'mien_missing_vectors 3',
      'mien_info{version="1.2.3",pack="standard"} 1',
    ])
      expect(all).toContain(`${line}\n`)
  })
})

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
