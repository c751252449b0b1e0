/** Opens the traces of a configured core. Another core does not load OpenTelemetry. */
import { readTraceSettings, TRACE_HEADER_VARIABLES } from '../configuration/traces.ts'
import type { Log } from '../log.ts'
import type { Traces } from './traces.ts'

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
