/** The metrics of the service in the Prometheus text format, with the counts that edges send. docs/monitoring.md lists them. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { environment } from '../../contract/environment.ts'
import { RPC_LIMITS } from '../../contract/limits/rpc.ts'
import { type MetricsBatch, MetricsBatchSchema } from '../../contract/metrics.ts'
import type { VectorStore } from '../vector-store/vector-store.ts'
import { type CoreStage, type RequestLabels, type RequestMetrics, requestMetrics } from './requests.ts'
import { type StateProbes, stateMetrics } from './states.ts'

/** Counts each search, addition and removal as a run of its stage. Modifies `vectors`. */
export const measuredStore = (vectors: VectorStore, { timed }: Pick<Metrics, 'timed'>): VectorStore =>
  Object.assign(vectors, {
    search: timed('search', vectors.search.bind(vectors)),
    add: timed('commit', vectors.add.bind(vectors)),
    remove: timed('commit', vectors.remove.bind(vectors)),
  })

/** Returns a function that counts an attempt. */
function deliveryMetric(registry: Registry): (outcome: string) => void {
  const attempts = new Counter({
    name: 'mien_webhook_attempts_total',
    help: 'Attempts to deliver messages of alert rules, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return outcome => attempts.inc({ outcome })
}

/** Metrics of prom-client whose names break the conventions of Prometheus: gauges that end in _total, and their parts. */
const MISNAMED_METRICS = ['resources', 'handles', 'requests'].flatMap(what => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

export interface Metrics {
  /** Counts a response of core. `operation` comes from a table or a route pattern. */
  request(operation: string, code: RequestLabels['code'], ms: number): void
  /** The same function; each of its calls is counted as a run of the stage. */
  timed<Values extends unknown[], Result>(
    stage: CoreStage,
    work: (...values: Values) => Promise<Result>,
  ): (...values: Values) => Promise<Result>
  /** Counts an attempt to deliver a message of an alert rule. */
  delivery(outcome: string): void
  /** Adds counts of an edge. See EdgeBatches.add. */
  addBatch: EdgeBatches['add']
  /** See RequestMetrics.quantiles. */
  quantiles: RequestMetrics['quantiles']
  readonly contentType: string
  /** All metrics, with the state at this moment. */
  text(): Promise<string>
}

export interface MetricsOptions {
  version: string
  /** Name of the pack. */
  pack: string
  probes: StateProbes
  /** Clock in Unix milliseconds. */
  now?: () => number
}

/** Creates the metrics, with the metrics of the process and its event loop. */
export function serviceMetrics({ version, pack, probes, now = environment.now }: MetricsOptions): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED_METRICS) registry.removeSingleMetric(name)
  new Gauge({
    name: 'mien_info',
    help: 'Version of the service and its pack; always 1.',
    labelNames: ['version', 'pack'],
    registers: [registry],
  }).set({ version, pack }, 1)
  const requests = requestMetrics(registry)
  const edges = edgeBatches(registry, { requests, now })
  const refreshState = stateMetrics(registry, probes)

  return {
    request(operation, code, ms) {
      requests.request({ half: 'core', operation, code }, { count: 1, seconds: ms / 1000 })
    },
    timed: (stage, work) => {
      return async (...values) => {
        const startedAt = environment.monotonic()
        try {
          return await work(...values)
        } finally {
          const seconds = (environment.monotonic() - startedAt) / 1000
          requests.stage({ half: 'core', stage }, { count: 1, seconds })
        }
      }
    },
    delivery: deliveryMetric(registry),
    addBatch: edges.add,
    quantiles: requests.quantiles,
    contentType: registry.contentType,
    async text() {
      edges.refresh()
      await refreshState()
      return registry.metrics()
    },
  }
}

/** The latest batch of an edge process. */
type EdgeState = Pick<MetricsBatch, 'number' | 'active' | 'waiting'> & { at: number }

interface EdgeBatches {
  /**
   * Adds the increments of a batch, unless they were added before. `text` is METRICS_HEADER of a request with a valid
   * signature. Returns the number of the batch, which acknowledges it; undefined when the text is no batch.
   */
  add(text: string | undefined): string | undefined
  /** Sets the gauges of the edges that sent a batch within RPC_LIMITS.metricsEdgeMs. */
  refresh(): void
}

/** Where the content of a batch goes. */
interface BatchTargets {
  requests: RequestMetrics
  /** Clock in Unix milliseconds. */
  now(): number
}

function edgeBatches(registry: Registry, { requests, now }: BatchTargets): EdgeBatches {
  /** By edge process, the latest batch last. */
  const edges = new Map<string, EdgeState>()
  const registers = [registry]
  const running = new Gauge({
    name: 'mien_edges',
    help: 'Edge processes that have sent counts within a minute.',
    registers,
  })
  const load = new Gauge({
    name: 'mien_edge_requests',
    help: 'Requests of these edges in progress (active), and in the queue for admission (waiting).',
    labelNames: ['state'],
    registers,
  })
  const overloads = new Counter({
    name: 'mien_edge_overloads_total',
    help: 'Requests that edges refused because they had no room.',
    registers,
  })

  const remember = ({ edge, number, active, waiting }: MetricsBatch) => {
    edges.delete(edge)
    edges.set(edge, { number, active, waiting, at: now() })
    const [oldest] = edges.keys()
    if (edges.size > RPC_LIMITS.metricsEdges && oldest !== undefined) edges.delete(oldest)
  }

  return {
    add(text) {
      const batch = batchIn(text)
      if (!batch) return undefined
      if (batch.number > (edges.get(batch.edge)?.number ?? 0)) {
        for (const [operation, code, count, seconds] of batch.requests)
          requests.request({ half: 'edge', operation, code }, { count, seconds })
        for (const [stage, count, seconds] of batch.stages)
          requests.stage({ half: 'edge', stage }, { count, seconds })
        overloads.inc(batch.overloads)
        remember(batch)
      }
      return String(batch.number)
    },
    refresh() {
      const live = [...edges.values()].filter(({ at }) => now() - at <= RPC_LIMITS.metricsEdgeMs)
      running.set(live.length)
      load.set({ state: 'active' }, sum(live.map(({ active }) => active)))
      load.set({ state: 'waiting' }, sum(live.map(({ waiting }) => waiting)))
    },
  }
}

/** The batch in a header; undefined when the text is too long or not a batch. */
function batchIn(text: string | undefined): MetricsBatch | undefined {
  if (text === undefined || text.length > RPC_LIMITS.metricsHeaderLength) return undefined
  try {
    return MetricsBatchSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
