/** The traces of requests, and their opening. Only a configured core loads OpenTelemetry. */
import { readTraceSettings, TRACE_HEADER_VARIABLES } from '../configuration/traces.ts'
import type { ResponseCode, TracedRequest } from '../contract/metrics.ts'
import type { Log } from '../log.ts'

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
  /** Exports what waits, for at most FLUSH_MS. */
  close(): Promise<void>
}

/**
 * Undefined unless the environment names an endpoint. Removes the exporter's headers from the environment: threads and child
 * processes must not inherit credentials. Throws ConfigurationError.
 */
export async function openTraces(
  environment: NodeJS.ProcessEnv,
  version: string,
  log: Log,
): Promise<Traces | undefined> {
  const settings = readTraceSettings(environment)
  if (!settings) return undefined
  const { exportedTraces } = await import('./open-telemetry.ts')
  const traces = exportedTraces({ ...settings, version, log })
  for (const variable of TRACE_HEADER_VARIABLES) delete environment[variable]
  return traces
}
