/** The memory that decodes in progress share: each reserves what it is priced at and waits until that is free. */
import { LIMITS } from '../../core/contract/limits.ts'
import type { Reservation } from '../../wasm/decode/pacing.ts'
import { fairQueue } from '../admission/fair-queue.ts'

/** Reserves bytes for a token. Throws SERVICE_UNAVAILABLE when that takes too long. */
export type ReserveFor = (token: string, bytes: number) => Promise<Reservation>

/** How long smaller decodes may go first while one waits for more memory. */
const OVERTAKEN_MS = 1_000

interface Claim {
  readonly bytes: number
  /** When it was made, and from its reservation on when that was. */
  since: number
}

/** `budget` bytes are there in all. One decode may have as much as that. */
export function decodeMemory(budget: number, now: () => number = Date.now): ReserveFor {
  const held = new Set<Claim>()
  const wanted = new Set<Claim>()
  const waiting = fairQueue(2 * LIMITS.edgeRequests, now)

  /** The runtime can end a request without a word. */
  const forgetLost = (claims: Set<Claim>, ms: number): void => {
    for (const claim of claims) if (now() - claim.since > ms) claims.delete(claim)
  }

  const canHold = (claim: Claim): boolean => {
    forgetLost(held, LIMITS.edgeVisitMs)
    forgetLost(wanted, LIMITS.edgeWaitMs)
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
