/** Counts that edges send with their requests: adds each batch once. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { RPC_LIMITS } from '../../contract/limits/rpc.ts'
import { type MetricsBatch, MetricsBatchSchema } from '../../contract/metrics.ts'
import type { RequestMetrics } from './requests.ts'

/** The latest batch of an edge process. */
type EdgeState = Pick<MetricsBatch, 'number' | 'active' | 'waiting'> & { at: number }

export interface EdgeBatches {
  /**
   * Adds the increments of a batch, unless they were added before. `text` is METRICS_HEADER of a request with a valid
   * signature. Returns the number of the batch, which acknowledges it; undefined when the text is no batch.
   */
  add(text: string | undefined): string | undefined
  /** Sets the gauges of the edges that sent a batch within RPC_LIMITS.metricsEdgeMs. */
  refresh(): void
}

/** Where the content of a batch goes. */
export interface BatchTargets {
  requests: RequestMetrics
  /** Clock in Unix milliseconds. */
  now(): number
}

export function edgeBatches(registry: Registry, { requests, now }: BatchTargets): EdgeBatches {
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

  const remember = ({ edge, number, active, waiting }: MetricsBatch): void => {
    edges.delete(edge)
    edges.set(edge, { number, active, waiting, at: now() })
    const [oldest] = edges.keys()
    if (edges.size > RPC_LIMITS.metricsEdges && oldest !== undefined) edges.delete(oldest)
  }

  return {
    add(text) {
      const batch = parsed(text)
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
function parsed(text: string | undefined): MetricsBatch | undefined {
  if (text === undefined || text.length > RPC_LIMITS.metricsHeaderLength) return undefined
  try {
    return MetricsBatchSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
