/** Bounds of live events; a part of LIMITS. */

export const EVENT_LIMITS = {
  /** Streams of one owner, and of all owners, at one core. */
  eventStreamsPerOwner: 20,
  eventStreams: 500,
  /** Seconds after which a refused stream may be tried again. */
  eventStreamRetrySeconds: 5,
  /** Time after which a stream ends, and interval of its heartbeats. */
  eventStreamMs: 300_000,
  eventHeartbeatMs: 5_000,
  /** Interval at which core looks for events of other cores, and time that gathers events before they are read. */
  eventsEveryMs: 1_000,
  eventGatherMs: 50,
  /** Events that core holds in memory for a stream. */
  eventChunk: 100,
  /** Greatest age of missed events. */
  eventAgeMs: 24 * 3_600_000,
  /** How long the edge waits for the next event or heartbeat, and time after which callers connect again. */
  eventSilenceMs: 15_000,
  eventRetryMs: 1_000,
} as const
