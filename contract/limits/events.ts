/** Bounds of live events. `Ms`: milliseconds. */

export const EVENT_LIMITS = {
  /** Streams of one owner, and of all owners, at one core. */
  streamsPerOwner: 20,
  streams: 500,
  /** Seconds after which a refused stream may be tried again. */
  streamRetrySeconds: 5,
  /** Time after which a stream ends, and interval of its heartbeats. */
  streamMs: 300_000,
  heartbeatMs: 5_000,
  /** Interval at which core looks for events of other cores, and time that gathers events before they are read. */
  everyMs: 1_000,
  gatherMs: 50,
  /** Events that core holds in memory for a stream. */
  chunk: 100,
  /** Greatest age of missed events. */
  ageMs: 24 * 3_600_000,
  /** How long the edge waits for the next event or heartbeat, and time after which callers connect again. */
  silenceMs: 15_000,
  retryMs: 1_000,
} as const

/** Bounds of an export of evidence: events, bytes of pictures and clips, bytes of a message that core sends, and exports at once at one core. */
export const EVIDENCE_LIMITS = {
  events: 500,
  bytes: 2 ** 30,
  chunkBytes: 384 * 1024,
  exportsPerOwner: 2,
  exports: 20,
} as const
