/** Variables of a feature that was removed. test/service/core/server.test.ts starts core with them, and with a file of another one. */
import { refuseTraces } from '#core/configuration/removed-features.ts'

it('refuseTraces names the variables of traces that are set, and no other of OpenTelemetry', () => {
  const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER']
  const set = Object.fromEntries(names.map(name => [name, 'a value']))
  expect(() => refuseTraces(set)).toThrow(`${names.join(', ')}: core no longer exports traces. Unset it`)
  expect(() => refuseTraces(set)).not.toThrow('a value')
  expect(() => refuseTraces({ OTEL_SERVICE_NAME: 'mien', OTEL_TRACES_EXPORTER: '' })).not.toThrow()
})
