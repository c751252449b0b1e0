/**
 * A line of requests that wait, each for itself: it looks now and then whether it is its turn. One that waited for what
 * another request does would be ended by the runtime, which takes it for one that hangs.
 */
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'

/** What is waited for: whether it can be had now, and having it. */
export interface Resource {
  isAvailable(): boolean
  take(): void
}

export interface FairQueue {
  /**
   * Resolves when it has taken what is wanted. Tokens take turns, and of each the first request comes first. Throws
   * SERVICE_UNAVAILABLE: at once when too many wait, in all or with this token, and later when it takes too long.
   */
  acquire(token: string, wanted: Resource): Promise<void>
}

interface Place extends Resource {
  since: number
  /** When it looked last. */
  looked: number
}

/** How long the first of a token waits before it looks again, and how much longer each one behind: less than a look at a photo takes. */
const LOOK_MS = 2
const BEHIND_MS = 8

/** Who has not looked for so long is held up, or was ended by the runtime without a word: the others go first. */
const HELD_UP_MS = 1_000

/** `room` requests may wait, half of them with the same token. The first of a token looks every `lookMs`. */
export function fairQueue(room: number, now: () => number = Date.now, lookMs: number = LOOK_MS): FairQueue {
  /** In the order in which tokens have their turns. */
  const tokens = new Map<string, Place[]>()

  const join = (token: string, place: Place): void => {
    const before = tokens.get(token) ?? []
    const all = [...tokens.values()].reduce((sum, { length }) => sum + length, 0)
    if (all >= room || before.length >= room / 2) throw new ServiceError('SERVICE_UNAVAILABLE')
    tokens.set(token, [...before, place])
  }

  const leave = (token: string, place: Place): void => {
    const left = (tokens.get(token) ?? []).filter(other => other !== place)
    tokens.delete(token)
    if (left.length > 0) tokens.set(token, left)
  }

  /** The first whose turn it is and who can have what it wants. */
  const next = (): Place | undefined => {
    for (const [token, places] of tokens) {
      for (const lost of places.filter(place => now() - place.looked > LIMITS.edgeWaitMs)) leave(token, lost)
      const first = places.find(place => now() - place.looked <= HELD_UP_MS)
      if (first?.isAvailable()) return first
    }
    return undefined
  }

  return {
    async acquire(token, wanted) {
      if (tokens.size === 0 && wanted.isAvailable()) return wanted.take()
      const place = { ...wanted, since: now(), looked: now() }
      join(token, place)
      try {
        do {
          await pause(lookMs + BEHIND_MS * (tokens.get(token) ?? []).indexOf(place))
          place.looked = now()
          if (place.looked - place.since > LIMITS.edgeWaitMs) throw new ServiceError('SERVICE_UNAVAILABLE')
        } while (next() !== place)
        place.take()
      } finally {
        leave(token, place)
      }
    },
  }
}

/** Lets the runtime hear what has arrived meanwhile. */
export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
