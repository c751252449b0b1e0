/** Bounds of an isolate of the edge: admission, analyses, log lines, and its connection to the cores. `Ms`: milliseconds. */

export const EDGE_LIMITS = {
  /**
   * An isolate of the edge: requests in progress, bytes of their bodies, and queued requests, whose bodies are not read yet.
   * Next to 42 MB of bodies, networks and decoders fit into its 128 MB. One token gets at most half of each.
   */
  requests: 64,
  bodyBytes: 42 * 2 ** 20,
  waiting: 192,
  /**
   * Photos that an isolate analyses at once, at most one per token; and the estimated microseconds of computation after which
   * an analysis yields to other requests. It is an estimate because the clock of a deployed isolate stops during computation.
   */
  analyses: 4,
  pieceUs: 12_000,
  /** Longest wait of a request or photo in the queue, and longest time in progress before it counts as lost. */
  waitMs: 30_000,
  permitMs: 120_000,
  /**
   * Client connections of one edge; connections of one IPv4 address or IPv6 /64 network that is no trusted proxy; and requests that
   * one connection may send before their answers.
   */
  connections: 4_096,
  connectionsPerAddress: 512,
  pipelined: 16,
  /**
   * Log lines of an isolate of the edge about requests with one code: per second, and burst after a pause. Further requests
   * are counted, and the count is logged after `requestCountMs`.
   */
  requestLinesPerSecond: 20,
  requestLinesAtOnce: 500,
  requestCountMs: 10_000,
  /** Start page: time for which it caches the readiness of core, and longest wait for the response. */
  healthEveryMs: 5_000,
  healthMs: 2_000,
  /** How long the edge waits for one response of core. */
  coreAnswerMs: 20_000,
  /**
   * Time in which the edge learns the outcome of a change; the last part of this time, in which it asks again for a lost answer
   * instead of waiting for it; and pause between two of these questions.
   */
  coreChangeMs: 45_000,
  outcomeMs: 3_000,
  outcomePauseMs: 250,
  /** Cores of one edge. */
  cores: 16,
  /**
   * Edge with several cores: interval and timeout of health checks. A request that waits for `coreSlowMs` causes a health check. A
   * request that is not repeatable needs a health check first when the last response of the core is older than `coreAliveMs`.
   */
  coreLookEveryMs: 10_000,
  coreCheckMs: 1_500,
  coreSlowMs: 1_000,
  coreAliveMs: 1_000,
  /** How long a failed core is skipped: after the first failure, and at most. The time doubles with each failure. */
  corePauseMs: 250,
  corePausesMs: 8_000,
  /** Latency above 1.5 times the latency of the nearest core with which a core still counts as near. */
  coreNearMs: 5,
} as const
