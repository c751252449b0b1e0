/** Bounds of the messages between edge and core: signatures, frames, and the metrics in them. `Ms`: milliseconds. */

export const RPC_LIMITS = {
  /** Connections of one core; connections of one address, which may be a machine with many edges; unanswered requests of each connection. */
  connections: 8_192,
  connectionsPerAddress: 4_096,
  pipelined: 16,
  /** RPC requests that core handles at once, and bytes of all their frames. */
  coreRequests: 256,
  coreRequestBytes: 256 * 2 ** 20,
  /**
   * Time before an edge stops waiting in which core begins no transaction: a transaction gets its answer within
   * STORE_LIMITS.databaseAnswerMs, and the answer needs time to arrive.
   */
  commitMs: 8_000,
  /** Answers to changes that core keeps for edges that lost them: how long, and their bytes. */
  outcomesMs: 60_000,
  outcomesBytes: 32 * 2 ** 20,
  /** Greatest difference of the clocks of edge and core. */
  signatureWindowMs: 300_000,
  /** Nonces that core remembers for `signatureWindowMs`: 3,000 requests per second, which take 85 MB. */
  nonces: 1_000_000,
  /** Interval at which edge and core log advice about rejected signatures, for each reason. */
  trustAdviceMs: 10_000,
  /**
   * Counts that an edge sends to core: elements of one batch, characters of its header, observations in it; least time between
   * two batches, and time after which a batch goes without a request; edge processes that core remembers, and time without a
   * batch after which a process no longer counts as running.
   */
  metricsSamples: 48,
  metricsHeaderLength: 8_000,
  metricsObservations: 10_000,
  metricsEveryMs: 1_000,
  metricsFlushMs: 5_000,
  metricsEdges: 10_000,
  metricsEdgeMs: 60_000,
} as const
