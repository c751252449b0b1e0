/** Trace context of a request, in the header `traceparent` of W3C. */

export const TRACEPARENT = 'traceparent'

/** Position of a request in a trace. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** Span of the sender: 16 hexadecimal digits. */
  spanId: string
  /** Whether the sender records its spans. */
  isSampled: boolean
}

/** Version 00: trace id, parent id, flags. */
const PATTERN = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The lowest bit of the flags. */
const SAMPLED = 1

/** Parses a `traceparent`. Undefined for an absent or invalid header, which W3C says to ignore. */
export function traceContextOf(traceparent: string | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = PATTERN.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 }
}

/** The trace id in a `traceparent`; undefined for an absent or invalid header. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceContextOf(traceparent)?.traceId

/** The `traceparent` of a sampled span. */
export const sampledTraceparent = ({ traceId, spanId }: Pick<TraceContext, 'traceId' | 'spanId'>): string =>
  `00-${traceId}-${spanId}-01`
