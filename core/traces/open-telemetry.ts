/** Exports spans by the SDK of OpenTelemetry. Attributes are ids, numbers and names of tables only. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { sleep } from '../../contract/environment.ts'
import { ERRORS } from '../../contract/errors.ts'
import type { ResponseCode, TracedRequest } from '../../contract/metrics.ts'
import { traceContextOf } from '../../contract/trace-context.ts'
import { type Log, traceOf } from '../log.ts'

/** Exports the spans of both halves. No method throws, and none waits for the exporter except `close`. */
export interface Traces {
  /** Value of TRACES_HEADER. */
  readonly announcement: string
  /** Runs a request of core. It has a span, which `request` ends, when its `traceparent` is sampled. */
  inRequest<Result>(traceparent: string | undefined, work: () => Promise<Result>): Promise<Result>
  /** Names the span of the present request, and ends it. */
  request(operation: string, code: ResponseCode | 'other'): void
  /** Adds a stage to the present request. Times are those of `environment.monotonic()`. */
  stage(stage: string, startedAt: number, endedAt: number): void
  /** Adds a request of an edge with its stages. */
  edgeRequest(request: TracedRequest): void
  /** Exports what waits, for a limited time. */
  close(): Promise<void>
}

/** The same exporter. One line per change, not per failed batch. */
function loggedExporter(exporter: SpanExporter, log: Log): SpanExporter {
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

/** Time for the last export at a shutdown, in milliseconds. */
const FLUSH_MS = 2_000

/** Status from which a response is an error of the service. */
const SERVER_ERROR = 500

/** Reads endpoint, headers, timeout, service name and resource attributes from the environment. `version` is that of the service. */
export function exportedTraces(probability: number, version: string, log: Log): Traces {
  const exporter = loggedExporter(new OTLPTraceExporter(), log)
  const ids = chosenIds()
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'mien', 'service.version': version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    // Callers and edges have decided: no other request gets here.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids.generator,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const [edge, core] = [provider.getTracer('mien-edge', version), provider.getTracer('mien-core', version)]
  const present = new AsyncLocalStorage<Span>()

  return {
    announcement: String(probability),
    inRequest(traceparent, work) {
      const parent = traceContextOf(traceparent)
      if (!parent?.isSampled) return work()
      const kind = SpanKind.SERVER
      return present.run(core.startSpan('request', { kind }, childOf(parent.traceId, parent.spanId)), work)
    },
    request(operation, code) {
      const span = present.getStore()
      span?.updateName(operation)
      if (span) endSpan(span, { 'mien.half': 'core', 'mien.code': code })
    },
    stage(stage, startedAt, endedAt) {
      const span = present.getStore()
      if (!span) return
      const parent = trace.setSpan(ROOT_CONTEXT, span)
      core.startSpan(stage, { startTime: startedAt }, parent).end(endedAt)
    },
    edgeRequest(request) {
      const { at, ms, operation, stages } = request
      const context = request.parent ? childOf(request.trace, request.parent) : ROOT_CONTEXT
      const span = ids.withIds(request, () =>
        edge.startSpan(operation, { kind: SpanKind.SERVER, startTime: at }, context),
      )
      const within = trace.setSpan(ROOT_CONTEXT, span)
      for (const [stage, offset, duration] of stages)
        edge.startSpan(stage, { startTime: at + offset }, within).end(at + offset + duration)
      endSpan(span, attributesOf(request), at + ms)
    },
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(FLUSH_MS)])
    },
  }
}

const attributesOf = ({ code, owner, faces }: TracedRequest): Attributes => ({
  'mien.half': 'edge',
  'mien.code': code,
  ...(owner !== undefined && { 'mien.owner': owner }),
  ...(faces !== undefined && { 'mien.faces': faces }),
})

function endSpan(span: Span, attributes: Attributes, at?: number): void {
  const code = attributes['mien.code'] as string
  const isFault = code in ERRORS && ERRORS[code as keyof typeof ERRORS].status >= SERVER_ERROR
  if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttributes(attributes).end(at)
}

/** Context of a child of another process's span. */
const childOf = (traceId: string, spanId: string): Context => {
  const parent: SpanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, parent)
}

/** Random ids, except for spans that an edge has named already. */
function chosenIds() {
  const random = new RandomIdGenerator()
  let chosen: Pick<TracedRequest, 'trace' | 'span'> | undefined
  return {
    generator: {
      generateTraceId: () => chosen?.trace ?? random.generateTraceId(),
      generateSpanId: () => chosen?.span ?? random.generateSpanId(),
    },
    withIds(ids: Pick<TracedRequest, 'trace' | 'span'>, start: () => Span): Span {
      chosen = ids
      try {
        return start()
      } finally {
        chosen = undefined
      }
    },
  }
}
