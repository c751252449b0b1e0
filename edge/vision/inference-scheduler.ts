/**
 * Schedules photo analyses beside other requests: bounds the analyses in progress, shares memory between their decodes, and
 * alternates their pieces of computation.
 */
import { environment } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import type { DecodeLimits, Reservation } from '../../wasm/decode/budget.ts'
import type { Pace } from '../../wasm/runtime/pace.ts'
import type { Runtime } from '../../wasm/runtime/runtime.ts'
import { fairQueue, pause } from '../admission/fair-queue.ts'

/** Resources that concurrent analyses share. */
export type SharedResources = Required<Pick<DecodeLimits, 'reserve' | 'pace'>>

export interface InferenceScheduler {
  /**
   * Runs an analysis for a token. A token has at most one analysis in progress. Analyses of several tokens alternate in
   * pieces. Throws SERVICE_UNAVAILABLE when the queue is full or the wait takes too long.
   */
  schedule<Result>(token: string, analyze: (shared: SharedResources) => Promise<Result>): Promise<Result>
  /** The same runtime; its sessions wait for a turn before each step of loading and before each run. */
  paced(runtime: Runtime): Runtime
}

/** An analysis in progress. The runtime can end a request without freeing its slot: the slot expires at `expiresAt`. */
interface Slot {
  readonly token: string
  expiresAt: number
}

/** `budget` is the memory of all decodes in bytes. */
export function inferenceScheduler(budget: number): InferenceScheduler {
  const pace = workPieces()
  const waiting = fairQueue(2 * EDGE_LIMITS.requests)
  const reserve = decodeMemory(budget)
  const inProgress = new Set<Slot>()

  const canTake = (token: string) => {
    for (const slot of inProgress) if (environment.now() >= slot.expiresAt) inProgress.delete(slot)
    return inProgress.size < EDGE_LIMITS.analyses && ![...inProgress].some(slot => slot.token === token)
  }

  return {
    async schedule(token, analyze) {
      const slot = { token, expiresAt: 0 }
      await waiting.acquire(token, {
        isAvailable: () => canTake(token),
        take() {
          slot.expiresAt = environment.now() + EDGE_LIMITS.waitMs
          inProgress.add(slot)
        },
      })
      try {
        return await analyze({ pace, reserve: bytes => reserve(token, bytes) })
      } finally {
        inProgress.delete(slot)
      }
    },
    paced: runtime => ({
      session: (model, options) => runtime.session(model, { ...options, pace }),
    }),
  }
}

/** The runtime can end a request between taking a turn and starting its piece. A turn expires after this time. */
const LOST_MS = 1_000

/**
 * The pace of the isolate: analyses announce steps and run in order of announcement. A step longer than `pieceUs` is a separate
 * piece. The lengths are estimates, because the clock of a deployed isolate does not advance within a piece.
 */
function workPieces(): Pace {
  const waiting = fairQueue(2 * EDGE_LIMITS.requests, environment.now, 0)
  let done = 0
  let announced = 0
  let turnExpiresAt = 0
  const turn = {
    isAvailable: () => environment.now() >= turnExpiresAt,
    take: () => {
      turnExpiresAt = environment.now() + LOST_MS
    },
  }
  return async microseconds => {
    if (done + microseconds > EDGE_LIMITS.pieceUs && done > 0) {
      // The queue alternates between tokens. A unique token per wait gives order of arrival.
      await waiting.acquire(`${announced++}`, turn)
      await pause(0)
      turnExpiresAt = 0
      done = 0
    }
    done += microseconds
  }
}

/** Reserves bytes for a token. Throws SERVICE_UNAVAILABLE when the queue is full or the wait takes too long. */
type ReserveFor = (token: string, bytes: number) => Promise<Reservation>

/** How long smaller decodes may overtake a decode that waits for memory. */
const OVERTAKEN_MS = 1_000

interface Claim {
  readonly bytes: number
  /** Start of the wait, and after the reservation its time. Unix milliseconds. */
  since: number
}

/** `budget` is the memory of all decodes in bytes. One decode may reserve all of it. */
export function decodeMemory(budget: number, now: () => number = environment.now): ReserveFor {
  const held = new Set<Claim>()
  const wanted = new Set<Claim>()
  const waiting = fairQueue(2 * EDGE_LIMITS.requests, now)

  /** The runtime can end a request without releasing its claims. Claims expire after `ms` milliseconds. */
  const removeExpired = (claims: Set<Claim>, ms: number) => {
    for (const claim of claims) if (now() - claim.since > ms) claims.delete(claim)
  }

  const canHold = (claim: Claim) => {
    removeExpired(held, EDGE_LIMITS.permitMs)
    removeExpired(wanted, EDGE_LIMITS.waitMs)
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

const sum = (claims: Iterable<Claim>) => [...claims].reduce((bytes, claim) => bytes + claim.bytes, 0)
