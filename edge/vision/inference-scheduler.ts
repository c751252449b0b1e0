/**
 * Schedules analyses of photos beside other requests: which are in progress, the memory that their decodes share, and whose
 * piece of work is next.
 */
import { LIMITS } from '../../core/contract/limits.ts'
import type { DecodeLimits } from '../../wasm/decode/budget.ts'
import type { Pace } from '../../wasm/decode/pacing.ts'
import type { Runtime } from '../../wasm/runtime/runtime.ts'
import { fairQueue } from '../admission/fair-queue.ts'
import { decodeMemory } from './decode-memory.ts'
import { workPieces } from './work-pieces.ts'

/** What an analysis shares with the others. */
export type SharedResources = Required<Pick<DecodeLimits, 'reserve' | 'pace'>>

export interface InferenceScheduler {
  /**
   * Runs an analysis for a token. A token has one analysis in progress at a time; those of several tokens do pieces of their
   * work in turn. Throws SERVICE_UNAVAILABLE when the wait is too long.
   */
  schedule<Seen>(token: string, look: (shared: SharedResources) => Promise<Seen>): Promise<Seen>
  /** The same runtime, whose networks wait for a turn before each of their parts is loaded, and whenever it runs. */
  inPieces(runtime: Runtime): Runtime
}

/** An analysis in progress. It counts as lost at `lostAt`: the runtime can end a request without a word. */
interface Slot {
  readonly token: string
  lostAt: number
}

/** `budget` is the memory in bytes that all decodes have together. */
export function inferenceScheduler(budget: number, pace: Pace = workPieces()): InferenceScheduler {
  const waiting = fairQueue(2 * LIMITS.edgeRequests)
  const reserve = decodeMemory(budget)
  const inProgress = new Set<Slot>()

  const canTake = (token: string): boolean => {
    for (const slot of inProgress) if (Date.now() >= slot.lostAt) inProgress.delete(slot)
    return inProgress.size < LIMITS.edgeAnalyses && ![...inProgress].some(slot => slot.token === token)
  }

  return {
    async schedule(token, look) {
      const slot = { token, lostAt: 0 }
      await waiting.acquire(token, {
        isAvailable: () => canTake(token),
        take() {
          slot.lostAt = Date.now() + LIMITS.edgeWaitMs
          inProgress.add(slot)
        },
      })
      try {
        return await look({ pace, reserve: bytes => reserve(token, bytes) })
      } finally {
        inProgress.delete(slot)
      }
    },
    inPieces: runtime => ({
      session: (model, options) => runtime.session(model, { ...options, pace }),
    }),
  }
}
