/**
 * Admission control: bounds the concurrent requests and body bytes of an isolate. Further requests wait in a short queue, and
 * a full queue refuses them, before their bodies are read. One token holds at most half of each bound.
 */
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { fairQueue } from './fair-queue.ts'

export interface Permit {
  /** Reserves memory for the body: `bytes` in total have arrived. Throws SERVICE_UNAVAILABLE when they do not fit. */
  reserve(bytes: number): void
  /** True when reading the body must stop: it holds more than a token's share, and another request waits for memory. */
  readonly shouldYield: boolean
  /** Ends the permit and frees its memory. */
  release(): void
}

export interface Admission {
  /**
   * Admits a request whose body has `bytes` according to its headers, 0 when unknown. Throws SERVICE_UNAVAILABLE when the queue
   * is full or the wait takes too long.
   */
  acquire(token: string, bytes: number): Promise<Permit>
  /** Number of admitted requests. */
  readonly permits: number
  /** Number of requests in the queue. */
  readonly waiting: number
}

interface ActivePermit {
  token: string
  bytes: number
  since: number
  mustYield: boolean
}

interface Bounds {
  /** Concurrent requests. */
  requests: number
  /** Bytes of all bodies. One body may be larger than a token's share while no other request needs the memory. */
  bodyBytes: number
  /** Length of the queue. */
  waiting: number
}

export function admission(bounds: Bounds = EDGE_LIMITS, now: () => number = environment.now): Admission {
  const active = new Set<ActivePermit>()
  const waiting = fairQueue(bounds.waiting, now)

  /** True when `bytes` more bytes and `requests` more requests fit, in the token's share and in total. */
  const fits = (token: string, bytes: number, requests: number) => {
    const all = [...active]
    const own = all.filter(permit => permit.token === token)
    const isWithin = (permits: ActivePermit[], share: number) =>
      permits.length + requests <= bounds.requests * share &&
      (bytes === 0 || heldBytes(permits) + bytes <= bounds.bodyBytes * share)
    return isWithin(own, 1 / 2) && isWithin(all, 1)
  }

  /** A body above a token's share enters only while no other body is held. It must yield when another request does not fit. */
  const canEnter = (token: string, bytes: number) => {
    removeExpired()
    if (fits(token, bytes, 1)) return true
    if (heldBytes([...active]) === 0 && fits(token, 0, 1)) return true
    for (const permit of active) permit.mustYield ||= permit.bytes > bounds.bodyBytes / 2
    return false
  }

  /** The runtime can end a request without releasing its permit. A permit expires after EDGE_LIMITS.permitMs. */
  const removeExpired = () => {
    for (const permit of active) if (now() - permit.since > EDGE_LIMITS.permitMs) active.delete(permit)
  }

  return {
    get permits() {
      return active.size
    },
    get waiting() {
      return waiting.length
    },
    async acquire(token, bytes) {
      const permit = { token, bytes, since: now(), mustYield: false }
      await waiting.acquire(token, {
        isAvailable: () => canEnter(token, bytes),
        take: () => void active.add(permit),
      })
      return {
        get shouldYield() {
          return permit.mustYield
        },
        reserve(arrived) {
          const more = arrived - permit.bytes
          if (more <= 0) return
          const isAlone = heldBytes([...active]) === permit.bytes
          if (!isAlone && !fits(token, more, 0)) throw new ServiceError('SERVICE_UNAVAILABLE')
          permit.bytes = arrived
        },
        release: () => void active.delete(permit),
      }
    },
  }
}

const heldBytes = (permits: readonly ActivePermit[]) => permits.reduce((sum, { bytes }) => sum + bytes, 0)
