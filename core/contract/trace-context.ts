/** Trace context of a request, in the header `traceparent` of W3C. */

export const TRACEPARENT = 'traceparent'

/** Version 00: trace id, parent id, flags. */
const PATTERN = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/

/** The trace id in a `traceparent`: 32 hexadecimal digits. Undefined for an absent or invalid header, which W3C says to ignore. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const [, trace, parent] = PATTERN.exec(traceparent ?? '') ?? []
  if (trace === undefined || parent === undefined) return undefined
  return /^0+$/.test(trace) || /^0+$/.test(parent) ? undefined : trace
}
