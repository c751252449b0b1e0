/** Metrics of requests and of their stages, for both halves of the service. */
import { Counter, Histogram, type Registry } from 'prom-client'
import { DURATION_BOUNDS, type EdgeStage, type OTHER, type ResponseCode } from '../../contract/metrics.ts'

/** Upper bound of a bucket, and number of observations up to it. The last bound is infinite. */
type Bucket = readonly [bound: number, count: number]

/**
 * The quantile `q`, 0..1, by linear interpolation within its bucket, as `histogram_quantile` of Prometheus. The last finite
 * bound for observations above it; undefined without observations. Buckets have rising bounds.
 */
export function quantileOf(buckets: readonly Bucket[], q: number): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0
  if (total === 0) return undefined
  const rank = q * total
  const i = buckets.findIndex(([, count]) => count >= rank)
  const [below, before] = buckets[i - 1] ?? [0, 0]
  const [bound, count] = buckets[i]!
  if (!Number.isFinite(bound) || count === before) return below
  return below + ((rank - before) / (count - before)) * (bound - below)
}

/** `embed`: wait and inference. `search`: one search of the vector store. `commit`: vectors added or removed durably. */
export type CoreStage = 'embed' | 'search' | 'commit'

/** Labels of a counted response. Values come from tables and route patterns, never from callers. */
export interface RequestLabels {
  half: 'edge' | 'core'
  operation: string
  code: ResponseCode | typeof OTHER
}

interface StageLabels {
  half: 'edge' | 'core'
  stage: EdgeStage | CoreStage
}

/** Observations of equal labels whose durations fall into one bucket: their number and the sum of their seconds. */
interface Observations {
  count: number
  seconds: number
}

export interface RequestMetrics {
  request(labels: RequestLabels, observations: Observations): void
  stage(labels: StageLabels, observations: Observations): void
  /** Estimated quantiles of the edges' responses by operation of the API, in seconds, in alphabetical order. */
  quantiles(): Promise<OperationQuantiles[]>
}

interface OperationQuantiles {
  operation: string
  p50: number
  p99: number
}

export function requestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry]
  const buckets = [...DURATION_BOUNDS]
  const requests = new Counter({
    name: 'mien_requests_total',
    help: 'Responses by half of the service, operation and code.',
    labelNames: ['half', 'operation', 'code'],
    registers,
  })
  const durations = new Histogram({
    name: 'mien_request_duration_seconds',
    help: 'Time from the arrival of a request to its response.',
    labelNames: ['half', 'operation'],
    buckets,
    registers,
  })
  const stages = new Histogram({
    name: 'mien_stage_duration_seconds',
    help: 'Time of one run of a stage. A request may run a stage several times, or not at all.',
    labelNames: ['half', 'stage'],
    buckets,
    registers,
  })
  return {
    request({ half, operation, code }, observations) {
      requests.inc({ half, operation, code }, observations.count)
      observe(durations.labels(half, operation), observations)
    },
    stage: ({ half, stage }, observations) => observe(stages.labels(half, stage), observations),
    async quantiles() {
      const { values } = await durations.get()
      const ofEdges = values.filter(({ labels }) => labels.half === 'edge' && 'le' in labels)
      return [...Map.groupBy(ofEdges, ({ labels }) => String(labels.operation))]
        .map(([operation, samples]) => {
          const counted = samples.map(({ labels, value }): Bucket => [boundOf(labels), value])
          const quantile = (q: number) => quantileOf(counted, q) ?? 0
          return { operation, p50: quantile(0.5), p99: quantile(0.99) }
        })
        .sort((a, b) => (a.operation < b.operation ? -1 : 1))
    },
  }
}

const boundOf = ({ le }: Partial<Record<string, string | number>>) =>
  le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)

/** Observes the mean as often as there were observations: it lies in the same bucket and has the same sum. */
function observe(histogram: { observe(seconds: number): void }, { count, seconds }: Observations) {
  for (let i = 0; i < count; i++) histogram.observe(seconds / count)
}
