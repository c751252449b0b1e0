/** Opening of traces: what is loaded, what stays in the environment, and the variables that core reads itself. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readProbability } from '#core/traces/open.ts'

const OPEN = join(import.meta.dirname, '..', '..', '..', '..', 'core', 'traces', 'open.ts')

/** Opens traces in a new process, which loads nothing else. */
function opened(variables: Record<string, string>) {
  const program = `
    const { registerHooks } = await import('node:module')
    let isLoaded = false
    registerHooks({ load: (url, context, next) => ((isLoaded ||= url.includes('@opentelemetry')), next(url, context)) })
    const { openTraces } = await import(${JSON.stringify(OPEN)})
    const traces = await openTraces(process.env, '1.2.3', () => {})
    const headers = process.env.OTEL_EXPORTER_OTLP_HEADERS
    console.log(JSON.stringify({ isLoaded, announcement: traces?.announcement, headers }))`
  const env = { PATH: process.env.PATH, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret', ...variables }
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env })
  return JSON.parse(output.toString())
}

it('a core without an endpoint does not load OpenTelemetry', () => {
  expect(opened({})).toEqual({ isLoaded: false, headers: 'api-key=secret' })
})

it('a core with an endpoint loads it, and removes the headers of the exporter from the environment', () => {
  expect(opened({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toEqual({
    isLoaded: true,
    announcement: '1',
  })
})

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'

const read = (variables: Record<string, string> = {}) =>
  readProbability({ OTEL_EXPORTER_OTLP_ENDPOINT, ...variables })

describe('traces are exported', () => {
  it('when an endpoint is set and the SDK is not disabled', () => {
    expect(read()).toBe(1)
    expect(readProbability({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector' })).toBe(1)
    expect(readProbability({})).toBeUndefined()
    expect(readProbability({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined()
    expect(read({ OTEL_SDK_DISABLED: 'True' })).toBeUndefined()
  })

  it.each([
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 0],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, 1],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 0.25],
  ])('with the probability of the sampler: %j', (variables, probability) => {
    expect(read(variables as Record<string, string>)).toBe(probability)
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
