/** Opening of traces: what is loaded, and what stays in the environment. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

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
