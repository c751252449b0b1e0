/**
 * Schedules photo analyses beside other requests: bounds the analyses in progress, shares memory between their decodes, and
 * orders their pieces of computation.
 */
import { LIMITS } from '../../contract/limits.ts'
import type { DecodeLimits } from '../../wasm/decode/budget.ts'
import type { Pace } from '../../wasm/decode/pacing.ts'
import type { Runtime } from '../../wasm/runtime/runtime.ts'
import { fairQueue } from '../admission/fair-queue.ts'
import { decodeMemory } from './decode-memory.ts'
import { workPieces } from './work-pieces.ts'

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
export function inferenceScheduler(budget: number, pace: Pace = workPieces()): InferenceScheduler {
  const waiting = fairQueue(2 * LIMITS.edgeRequests)
  const reserve = decodeMemory(budget)
  const inProgress = new Set<Slot>()

  const canTake = (token: string): boolean => {
    for (const slot of inProgress) if (Date.now() >= slot.expiresAt) inProgress.delete(slot)
    return inProgress.size < LIMITS.edgeAnalyses && ![...inProgress].some(slot => slot.token === token)
  }

  return {
    async schedule(token, analyze) {
      const slot = { token, expiresAt: 0 }
      await waiting.acquire(token, {
        isAvailable: () => canTake(token),
        take() {
          slot.expiresAt = Date.now() + LIMITS.edgeWaitMs
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
