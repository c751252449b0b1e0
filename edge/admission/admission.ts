/**
 * Who is let in: so many requests at once, with so many bytes of bodies, as an isolate has room for; others wait in a short
 * line, and those who find it full are refused, all before their bodies are read. No token takes more than half of anything.
 */
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { fairQueue } from './fair-queue.ts'

export interface Permit {
  /** Says that so many bytes of the body are there. Throws SERVICE_UNAVAILABLE when there is no room for them. */
  reserve(bytes: number): void
  /** True when its body is to give way to others': it takes more than a share of the room. */
  readonly shouldYield: boolean
  /** Gives back what it held. */
  release(): void
}

export interface Admission {
  /** Lets a request in, whose body was said to have so many bytes. Throws SERVICE_UNAVAILABLE. */
  acquire(token: string, bytes: number): Promise<Permit>
  /** Requests that are in. */
  readonly permits: number
}

interface Inside {
  token: string
  bytes: number
  since: number
  isUnwanted: boolean
}

export interface Bounds {
  /** Requests that may be in. */
  requests: number
  /** Bytes of all their bodies. A single body may be larger, as long as nobody else needs the room. */
  bytes: number
  /** Requests that may wait. */
  waiting: number
}

const STANDARD_BOUNDS: Bounds = {
  requests: LIMITS.edgeRequests,
  bytes: LIMITS.edgeBodyBytes,
  waiting: LIMITS.edgeWaiting,
}

export function admission(bounds: Bounds = STANDARD_BOUNDS, now: () => number = Date.now): Admission {
  const inside = new Set<Inside>()
  const waiting = fairQueue(bounds.waiting, now)

  /** Whether there is room for so many more bytes, and for so many more requests, of a token. */
  const fits = (token: string, bytes: number, requests: number): boolean => {
    const all = [...inside]
    const own = all.filter(permit => permit.token === token)
    const isWithin = (visits: Inside[], share: number) =>
      visits.length + requests <= bounds.requests * share &&
      (bytes === 0 || held(visits) + bytes <= bounds.bytes * share)
    return isWithin(own, 1 / 2) && isWithin(all, 1)
  }

  /** A body beyond a token's share comes in alone, and goes when somebody else wants in. */
  const canEnter = (token: string, bytes: number): boolean => {
    forgetLost()
    if (fits(token, bytes, 1)) return true
    if (held([...inside]) === 0 && fits(token, 0, 1)) return true
    for (const permit of inside) permit.isUnwanted ||= permit.bytes > bounds.bytes / 2
    return false
  }

  /** What the runtime has ended, it has ended without a word. */
  const forgetLost = (): void => {
    for (const permit of inside) if (now() - permit.since > LIMITS.edgeVisitMs) inside.delete(permit)
  }

  return {
    get permits() {
      return inside.size
    },
    async acquire(token, bytes) {
      const permit = { token, bytes, since: now(), isUnwanted: false }
      await waiting.acquire(token, {
        isAvailable: () => canEnter(token, bytes),
        take: () => void inside.add(permit),
      })
      return {
        get shouldYield() {
          return permit.isUnwanted
        },
        reserve(arrived) {
          const more = arrived - permit.bytes
          if (more <= 0) return
          const isAlone = held([...inside]) === permit.bytes
          if (!isAlone && !fits(token, more, 0)) throw new ServiceError('SERVICE_UNAVAILABLE')
          permit.bytes = arrived
        },
        release: () => void inside.delete(permit),
      }
    },
  }
}

const held = (visits: readonly Inside[]): number => visits.reduce((sum, { bytes }) => sum + bytes, 0)
