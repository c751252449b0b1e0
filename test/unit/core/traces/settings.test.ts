/** The variables of OpenTelemetry that core reads itself. */
import { describe, expect, it } from 'vitest'
import { readTraceSettings } from '#core/traces/open.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'

const read = (variables: Record<string, string> = {}) =>
  readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT, ...variables })

describe('traces are exported', () => {
  it('when an endpoint is set and the SDK is not disabled', () => {
    expect(read()).toEqual({ probability: 1 })
    expect(readTraceSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector' })).toEqual({
      probability: 1,
    })
    expect(readTraceSettings({})).toBeUndefined()
    expect(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined()
    expect(read({ OTEL_SDK_DISABLED: 'True' })).toBeUndefined()
  })

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 0.25],
  ])('with the probability of the sampler: %j', (variables, probability) => {
    expect(read(variables as Record<string, string>)).toEqual({ probability })
  })
})

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf'],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, 'OTEL_TRACES_SAMPLER must be parentbased_always_on, '],
  [
    { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
    'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
  ],
])('%j is refused', (variables, message) => {
  expect(() => read(variables as Record<string, string>)).toThrow(message)
})
