/**
 * A fair queue in which each request polls for its turn. The runtime considers a request hung and ends it when it awaits a
 * promise that another request resolves.
 */
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'

/** A limited resource: whether a request can take it now, and taking it. */
interface Resource {
  isAvailable(): boolean
  take(): void
}

interface FairQueue {
  /**
   * Resolves after taking the resource. Tokens take turns, and the requests of one token are served in order of arrival. Throws
   * SERVICE_UNAVAILABLE: immediately when the queue is full, in total or for this token, or after EDGE_LIMITS.waitMs.
   */
  acquire(token: string, wanted: Resource): Promise<void>
  /** Number of waiting requests. */
  readonly length: number
}

interface Entry extends Resource {
  since: number
  /** Time of the last poll. */
  polledAt: number
}

/** Poll interval of the first request of a token, and the addition for each position behind it. An analysis takes longer. */
const POLL_MS = 2
const POLL_STEP_MS = 8

/** An entry without a poll for this long is delayed, or the runtime ended its request. Other entries go first. */
const STALLED_MS = 1_000

/** `capacity` requests may wait, at most half of them with one token. The first of a token polls every `pollMs`. */
export function fairQueue(
  capacity: number,
  now: () => number = environment.now,
  pollMs: number = POLL_MS,
): FairQueue {
  /** In the order in which tokens are served. */
  const tokens = new Map<string, Entry[]>()

  const length = () => [...tokens.values()].reduce((sum, { length }) => sum + length, 0)

  const join = (token: string, entry: Entry) => {
    const before = tokens.get(token) ?? []
    if (length() >= capacity || before.length >= capacity / 2) throw new ServiceError('SERVICE_UNAVAILABLE')
    tokens.set(token, [...before, entry])
  }

  /** Removes the entry and moves the token to the end of the order. */
  const leave = (token: string, entry: Entry) => {
    const left = (tokens.get(token) ?? []).filter(other => other !== entry)
    tokens.delete(token)
    if (left.length > 0) tokens.set(token, left)
  }

  /** The first entry in order whose resource is available. */
  const next = (): Entry | undefined => {
    for (const [token, entries] of tokens) {
      for (const lost of entries.filter(entry => now() - entry.polledAt > EDGE_LIMITS.waitMs))
        leave(token, lost)
      const first = entries.find(entry => now() - entry.polledAt <= STALLED_MS)
      if (first?.isAvailable()) return first
    }
    return undefined
  }

  return {
    get length() {
      return length()
    },
    async acquire(token, wanted) {
      if (tokens.size === 0 && wanted.isAvailable()) return wanted.take()
      const entry = { ...wanted, since: now(), polledAt: now() }
      join(token, entry)
      try {
        do {
          await pause(pollMs + POLL_STEP_MS * (tokens.get(token) ?? []).indexOf(entry))
          entry.polledAt = now()
          if (entry.polledAt - entry.since > EDGE_LIMITS.waitMs) throw new ServiceError('SERVICE_UNAVAILABLE')
        } while (next() !== entry)
        entry.take()
      } finally {
        leave(token, entry)
      }
    },
  }
}

/** Waits at least `ms` milliseconds. The runtime handles pending events during the wait. */
export const pause = (ms: number): Promise<void> => new Promise(resolve => environment.timer(resolve, ms))
