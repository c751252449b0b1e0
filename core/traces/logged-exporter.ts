/** Logs when the export of spans begins to fail, and when it succeeds again. */
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { type Log, traceOf } from '../log.ts'

/** The same exporter. One line per change, not per failed batch. */
export function loggedExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, result => {
        const fails = result.error !== undefined || result.code !== 0
        if (fails && !isFailing) log('traces not exported', traceOf(result.error))
        if (!fails && isFailing) log('traces exported')
        isFailing = fails
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
