/** Opens the traces of a core that the standard variables of OpenTelemetry configure. Another core does not load OpenTelemetry. */

import { ConfigurationError } from '../configuration/environment.ts'
import type { Log } from '../log.ts'
import type { Traces } from './open-telemetry.ts'

/**
 * Undefined unless the environment names an endpoint. Removes the exporter's headers from the environment: threads and child
 * processes must not inherit credentials. Throws ConfigurationError.
 */
export async function openTraces(
  environment: NodeJS.ProcessEnv,
  version: string,
  log: Log,
): Promise<Traces | undefined> {
  const probability = readProbability(environment)
  if (probability === undefined) return undefined
  const { exportedTraces } = await import('./open-telemetry.ts')
  const traces = exportedTraces(probability, version, log)
  for (const variable of TRACE_HEADER_VARIABLES) delete environment[variable]
  return traces
}

/** Variables with headers of the exporter, which may contain credentials. */
export const TRACE_HEADER_VARIABLES = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']

/** The protocol of the installed exporter; the default of OpenTelemetry. */
const PROTOCOL = 'http/protobuf'

/**
 * Probability, 0..1, with which the edge begins a trace for a request without `traceparent`: that of a sampler of the
 * specification that follows the decision of the caller. Default: every request. Undefined without an endpoint. Throws
 * ConfigurationError for a value that the exporter would ignore or misread.
 */
export function readProbability(environment: Record<string, string | undefined>): number | undefined {
  const endpoints = ENDPOINTS.filter(name => environment[name])
  if (endpoints.length === 0 || environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  for (const name of endpoints)
    if (!isHttpUrl(environment[name] ?? '')) throw new ConfigurationError(`${name} must be an http(s) URL`)
  for (const name of PROTOCOLS)
    if (environment[name] && environment[name] !== PROTOCOL)
      throw new ConfigurationError(`${name} must be ${PROTOCOL}: core has no other exporter`)
  switch (environment.OTEL_TRACES_SAMPLER || 'parentbased_always_on') {
    case 'parentbased_always_on':
      return 1
    case 'parentbased_always_off':
      return 0
    case 'parentbased_traceidratio': {
      const ratio = Number(environment.OTEL_TRACES_SAMPLER_ARG || 1)
      if (ratio >= 0 && ratio <= 1) return ratio
      throw new ConfigurationError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
    }
    default:
      throw new ConfigurationError(
        'OTEL_TRACES_SAMPLER must be parentbased_always_on, parentbased_always_off or parentbased_traceidratio',
      )
  }
}

const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)
