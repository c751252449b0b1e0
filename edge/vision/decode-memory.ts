/** Memory budget that concurrent decodes share. Each decode reserves its estimated bytes and waits until they are free. */
import { LIMITS } from '../../contract/limits.ts'
import type { Reservation } from '../../wasm/decode/pacing.ts'
import { fairQueue } from '../admission/fair-queue.ts'

/** Reserves bytes for a token. Throws SERVICE_UNAVAILABLE when the queue is full or the wait takes too long. */
export type ReserveFor = (token: string, bytes: number) => Promise<Reservation>

/** How long smaller decodes may overtake a decode that waits for memory. */
const OVERTAKEN_MS = 1_000

interface Claim {
  readonly bytes: number
  /** Start of the wait, and after the reservation its time. Unix milliseconds. */
  since: number
}

/** `budget` is the memory of all decodes in bytes. One decode may reserve all of it. */
export function decodeMemory(budget: number, now: () => number = Date.now): ReserveFor {
  const held = new Set<Claim>()
  const wanted = new Set<Claim>()
  const waiting = fairQueue(2 * LIMITS.edgeRequests, now)

  /** The runtime can end a request without releasing its claims. Claims expire after `ms` milliseconds. */
  const removeExpired = (claims: Set<Claim>, ms: number): void => {
    for (const claim of claims) if (now() - claim.since > ms) claims.delete(claim)
  }

  const canHold = (claim: Claim): boolean => {
    removeExpired(held, LIMITS.edgePermitMs)
    removeExpired(wanted, LIMITS.edgeWaitMs)
    const isOvertaking = [...wanted].some(
      other => other.since < claim.since && now() - other.since > OVERTAKEN_MS,
    )
    return !isOvertaking && sum(held) + claim.bytes <= budget
  }

  return async (token, bytes) => {
    const claim: Claim = { bytes, since: now() }
    let total = 0
    wanted.add(claim)
    const take = () => {
      claim.since = now()
      held.add(claim)
      total = sum(held)
    }
    try {
      await waiting.acquire(token, { isAvailable: () => canHold(claim), take })
    } finally {
      wanted.delete(claim)
    }
    return { total, release: () => void held.delete(claim) }
  }
}

const sum = (claims: Iterable<Claim>): number => [...claims].reduce((bytes, claim) => bytes + claim.bytes, 0)
