/** Traces of requests: what the service reports of a request, whatever exports it. */
import type { ResponseCode, TracedRequest } from '../../contract/metrics.ts'

/** Exports the spans of both halves. No method throws, and none waits for the exporter except `close`. */
export interface Traces {
  /** Value of TRACES_HEADER. */
  readonly announcement: string
  /** Runs a request of core. It has a span, which `request` ends, when its `traceparent` is sampled. */
  inRequest<Result>(traceparent: string | undefined, work: () => Promise<Result>): Promise<Result>
  /** Names the span of the present request, and ends it. */
  request(operation: string, code: ResponseCode | 'other'): void
  /** Adds a stage to the present request. Times are those of `performance.now()`. */
  stage(stage: string, startedAt: number, endedAt: number): void
  /** Adds a request of an edge with its stages. */
  edgeRequest(request: TracedRequest): void
  /** Exports what waits, for a limited time. */
  close(): Promise<void>
}

/** How core exports traces. The SDK itself reads the other variables. */
export interface TraceSettings {
  /** Probability, 0..1, with which the edge begins a trace for a request without `traceparent`. */
  probability: number
}
