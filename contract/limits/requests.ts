/** Bounds of a request before it is parsed: bytes, fields, levels, and the time to arrive. `Ms`: milliseconds. */

export const REQUEST_LIMITS = {
  /** Bytes of a request body. */
  bodyBytes: 64 * 2 ** 20,
  /** Bytes of a photo as a data: URL. Base64 adds a third, and forms escape some characters. */
  dataUrlBytes: 16 * 2 ** 20,
  /** Bytes of a JSON or form body without its photos, and of one text field of a multipart body. */
  plainBodyBytes: 4 * 2 ** 20,
  /** Fields of a query, a form or a multipart body, and top-level names of a JSON body. A form has four for each box. */
  requestFields: 5_000,
  /** Values of a JSON text on all levels, and nesting levels of lists and objects in one parameter. */
  jsonValues: 10_000,
  nestingLevels: 32,
  /** Characters of a field name, and of a list or an object as text. */
  parameterNameLength: 256,
  structureLength: 256 * 1024,
  /** Bytes of the headers of one multipart part, of all its parts, and of the preamble before the first part. */
  partHeaderBytes: 8_192,
  partHeadersBytes: 2 ** 20,
  preambleBytes: 4_096,
  /** Ignored parameter names that a response lists, and characters of each. */
  ignoredNames: 20,
  ignoredNameLength: 64,
  /** Characters of an unknown path that is compared with the known ones. */
  comparedPathLength: 128,
  /** Characters of an Idempotency-Key, and how long its response is kept. */
  idempotencyKeyLength: 255,
  idempotencyKeptMs: 24 * 3_600_000,
  /** Seconds that a browser may cache the response to a preflight request. */
  preflightSeconds: 600,
  /** Request line and headers: bytes, time to arrive after the first byte, and interval of the check. */
  headerBytes: 64 * 2 ** 10,
  headerArrivalMs: 14_000,
  headerCheckMs: 2_000,
  /** How long a client connection may be idle, before its first request and after each answer. */
  callerRestMs: 60_000,
  /** How long a caller may continue to send after an early response, and after bytes that are not HTTP. */
  unreadBodyMs: 30_000,
  brokenRequestMs: 2_000,
  /** Longest time for a request body to arrive. */
  bodyArrivalMs: 30_000,
  /** How long an edge reads and drops the remaining body of a refused request. */
  refusedBodyMs: 2_000,
} as const
