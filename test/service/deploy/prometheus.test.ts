/** Configuration for Prometheus and Grafana: valid, about metrics that exist, and with alerts that fire. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { freePort } from '#test/support/processes.ts'
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'
import { quietMetrics } from '../../unit/core/metrics/quiet-metrics.ts'
import { freshApi } from '../edge/shared.ts'

const DEPLOY = join(import.meta.dirname, '..', '..', '..', 'deploy')
const CONFIGURATION = join(DEPLOY, 'prometheus', 'prometheus.yml')
const ALERTS = join(DEPLOY, 'prometheus', 'alerts.yml')
const PROMETHEUS = '/usr/bin/prometheus'
const PROMTOOL = '/usr/bin/promtool'

/** Address of core in the configuration. */
const TARGET = '127.0.0.1:8788'

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

const dashboard: Dashboard = JSON.parse(await readFile(join(DEPLOY, 'grafana', 'mien.json'), 'utf8'))
const expressions = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({ title, expr })),
)

describe('the files', () => {
  let existing: Set<string>

  beforeAll(async () => {
    const text = await quietMetrics({ bucket: async () => {}, replica: async () => {} }).text()
    existing = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
  })

  const unknownIn = (text: string) =>
    [...text.matchAll(/\b(?:mien|process|nodejs)_\w+/g)]
      .map(([name]) => name)
      .filter(name => !existing.has(name) && !existing.has(name.replace(/_(bucket|sum|count)$/, '')))

  it('use no metric that core does not have', async () => {
    expect(unknownIn(await readFile(ALERTS, 'utf8'))).toEqual([])
    expect(expressions.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
    expect(unknownIn('mien_no_such_metric_total')).not.toEqual([])
  })

  it.skipIf(!existsSync(PROMTOOL))('are valid for promtool', { tags: ['long', 'prometheus'] }, () => {
    const said = execFileSync(PROMTOOL, ['check', 'config', '--lint-fatal', CONFIGURATION]).toString()
    expect(said).toContain('is valid prometheus config file syntax')
    expect(said).toMatch(/SUCCESS: \d+ rules found/)
  })
})

const HEALTHY = {
  'up{job="mien", instance="a"}': '1+0x75',
  'mien_database_up{job="mien", instance="a"}': '1+0x75',
  'mien_bucket_up{job="mien", instance="a"}': '1+0x75',
  'mien_replica_up{job="mien", instance="a"}': '1+0x75',
  'mien_shard_up{job="mien", instance="a", shard="0"}': '1+0x75',
  'mien_disk_full{job="mien", instance="a"}': '0+0x75',
  'mien_disk_free_bytes{job="mien", instance="a"}': '50000000000+0x75',
  'mien_missing_vectors{job="mien", instance="a"}': '0+0x75',
  'mien_requests_total{job="mien", instance="a", half="edge", operation="detect", code="OK"}': '0+600x75',
  'mien_requests_total{job="mien", instance="a", half="core", operation="caller", code="AUTH_FAILED"}':
    '0+9x75',
  'mien_edge_overloads_total{job="mien", instance="a"}': '0+1x75',
  'mien_request_duration_seconds_bucket{job="mien", instance="a", half="edge", operation="detect", le="1"}':
    '0+600x75',
  'mien_request_duration_seconds_bucket{job="mien", instance="a", half="edge", operation="detect", le="+Inf"}':
    '0+600x75',
  'mien_shard_unindexed_vectors{job="mien", instance="a", shard="0"}': '100000+0x75',
  'mien_shard_vectors{job="mien", instance="a", shard="0", space="indexed"}': '1000000+0x75',
  'nodejs_eventloop_lag_p99_seconds{job="mien", instance="a"}': '0.01+0x75',
}

/** A test for promtool: after 75 minutes of these series, one value a minute, exactly these alerts fire. */
const firing = (expected: readonly string[], changes: Record<string, string>) => ({
  interval: '1m',
  input_series: Object.entries({ ...HEALTHY, ...changes }).map(([series, values]) => ({ series, values })),
  promql_expr_test: [
    {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: '75m',
      exp_samples: expected.map(name => ({ labels: `{alertname="${name}"}`, value: 1 })),
    },
  ],
})

const first = (name: string) => Object.keys(HEALTHY).find(series => series.startsWith(`${name}{`))!

/** Alerts, and the changes of the healthy series that they are for. */
const CAUSES: Record<string, Record<string, string>> = {
  MienDown: { [first('up')]: '0+0x75' },
  MienDatabaseUnavailable: { [first('mien_database_up')]: '0+0x75' },
  MienBucketUnavailable: { [first('mien_bucket_up')]: '0+0x75' },
  MienReplicaUnavailable: { [first('mien_replica_up')]: '0+0x75' },
  MienShardUnavailable: { [first('mien_shard_up')]: '0+0x75' },
  MienDiskFull: { [first('mien_disk_full')]: '1+0x75' },
  MienDiskNearlyFull: { [first('mien_disk_free_bytes')]: '50000000000-200000000x75' },
  MienVectorsMissing: { [first('mien_missing_vectors')]: '2+0x75' },
  MienErrors: {
    'mien_requests_total{job="mien", instance="a", half="edge", operation="detect", code="INTERNAL_ERROR"}':
      '0+60x75',
  },
  MienOverloaded: { [first('mien_edge_overloads_total')]: '0+60x75' },
  MienSlow: { [first('mien_request_duration_seconds_bucket')]: '0+500x75', ...slowBucket() },
  MienEdgeRefused: {
    'mien_requests_total{job="mien", instance="a", half="core", operation="enrol", code="AUTH_FAILED"}':
      '0+5x75',
  },
  MienIndexStale: { [first('mien_shard_unindexed_vectors')]: '600000+0x75' },
  MienEventLoopBlocked: { [first('nodejs_eventloop_lag_p99_seconds')]: '2+0x75' },
}

it.skipIf(!existsSync(PROMTOOL))(
  'an alert fires for its cause alone, and not for a healthy service',
  { tags: ['long', 'prometheus'] },
  async () => {
    const tests = [
      firing([], {}),
      ...Object.entries(CAUSES).map(([name, changes]) => firing([name], changes)),
    ]
    const file = await temporaryPath('alerts.test.json')
    await writeFile(file, JSON.stringify({ rule_files: [ALERTS], evaluation_interval: '1m', tests }))
    execFileSync(PROMTOOL, ['test', 'rules', file], { stdio: 'pipe' })
  },
)

/** A sixth of the requests takes 5 to 10 s. */
function slowBucket() {
  const bucket = first('mien_request_duration_seconds_bucket')
  return {
    [bucket.replace('le="1"', 'le="5"')]: '0+500x75',
    [bucket.replace('le="1"', 'le="10"')]: '0+600x75',
  }
}

/** Answer of the query interface. */
interface Answer {
  status: string
  error?: string
  data: { result: { value: [number, string] }[] }
}

it.skipIf(!existsSync(PROMETHEUS))(
  'Prometheus scrapes the running service, and answers every expression of the dashboard',
  { tags: ['long', 'prometheus'] },
  async () => {
    const folder = await temporaryFolder()
    const written = await readFile(CONFIGURATION, 'utf8')
    expect(written).toContain(TARGET)
    const core = new URL(inject('core')).host
    await writeFile(join(folder, 'prometheus.yml'), written.replaceAll(TARGET, core).replaceAll('15s', '1s'))
    await copyFile(ALERTS, join(folder, 'alerts.yml'))
    const origin = await startPrometheus(folder)
    const query = async (expr: string) => {
      const asked = await fetch(`${origin}/api/v1/query?query=${encodeURIComponent(expr)}`).catch(
        () => undefined,
      )
      return asked ? ((await asked.json()) as Answer) : { status: 'away', data: { result: [] } }
    }
    const firstValue = async (expr: string) => Number((await query(expr)).data?.result[0]?.value[1] ?? 0)

    const until = { timeout: 60_000, interval: 500 }
    await expect.poll(() => firstValue('up{job="mien"}'), until).toBe(1)
    await expect(freshApi()('GET', '/v1/galleries')).toAnswer(200)
    const requests = 'sum(mien_requests_total{half="edge", operation="listGalleries", code="OK"})'
    await expect.poll(() => firstValue(requests), until).toBeGreaterThan(0)
    for (const { title, expr } of expressions) {
      const asked = expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.+')
      expect(await query(asked), title).toMatchObject({ status: 'success' })
    }
  },
)

/** Starts Prometheus in a folder with its configuration. Returns its URL before it answers. */
async function startPrometheus(folder: string) {
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    PROMETHEUS,
    [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=data',
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { cwd: folder, stdio: 'ignore' },
  )
  onTestFinished(async () => {
    const exited = new Promise(resolve => child.once('exit', resolve))
    child.kill()
    await exited
  })
  return `http://${address}`
}
