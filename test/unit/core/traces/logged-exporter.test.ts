/** The log of an exporter: one line when it begins to fail, one when it succeeds again. */
import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace'
import { expect, it } from 'vitest'
import type { Facts } from '#core/log.ts'
import { loggedExporter } from '#core/traces/open-telemetry.ts'

it('has one line per change, without the message of the error', () => {
  let error: Error | undefined
  const inner = new InMemorySpanExporter()
  const failing: SpanExporter = Object.assign(inner, {
    export: (_: unknown, done: Parameters<SpanExporter['export']>[1]) =>
      done(error ? { code: 1, error } : { code: 0 }),
  })
  const lines: { event: string; facts: Facts | undefined }[] = []
  const exporter = loggedExporter(failing, (event, facts) => lines.push({ event, facts }))
  const results: number[] = []
  const exportOnce = () => exporter.export([], ({ code }) => results.push(code))
  exportOnce()
  error = Object.assign(new Error('http://user:secret@collector'), { code: 503 })
  exportOnce()
  exportOnce()
  error = undefined
  exportOnce()
  exportOnce()
  expect(lines.map(({ event }) => event)).toEqual(['traces not exported', 'traces exported'])
  expect(lines[0]!.facts!.error).toBe('Error 503')
  expect(JSON.stringify(lines)).not.toContain('secret')
  expect(results).toEqual([0, 1, 1, 0, 0])
})
