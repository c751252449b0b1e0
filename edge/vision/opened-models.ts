/** The vision models of an isolate: opened on first use, and replaced while analyses run. */
import { environment } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import type { VisionModels } from '../../wasm/pipeline.ts'
import { pause } from '../admission/fair-queue.ts'

/** Poll interval of a request while another request loads the networks. */
const LOAD_POLL_MS = 10

/** Models, and the function that frees their memory. */
export interface ReleasableModels {
  models: VisionModels
  release(): Promise<void>
}

export interface OpenedModels {
  /** Runs an analysis with the present models. */
  use<Result>(analyze: (models: VisionModels) => Promise<Result>): Promise<Result>
  /** Later analyses use these models. The earlier ones are released after their last analysis. */
  replace(next: ReleasableModels): void
}

interface Used extends ReleasableModels {
  analyses: number
}

/**
 * Opens the models once. Other requests poll until they are open, because the runtime ends a request that awaits a promise
 * of another request.
 */
export function openedModels(open: () => Promise<ReleasableModels>): OpenedModels {
  let present: Used | undefined
  let loadExpiresAt = 0

  const opened = async (): Promise<Used> => {
    while (!present) {
      if (environment.now() < loadExpiresAt) {
        await pause(LOAD_POLL_MS)
        continue
      }
      loadExpiresAt = environment.now() + EDGE_LIMITS.waitMs
      try {
        const first = { ...(await open()), analyses: 0 }
        present ??= first
        // They may have been replaced while they loaded.
        await releaseUnused(first)
      } finally {
        loadExpiresAt = 0
      }
    }
    return present
  }
  const releaseUnused = async (used: Used): Promise<void> => {
    if (used !== present && used.analyses === 0) await used.release()
  }

  return {
    async use(analyze) {
      const used = await opened()
      used.analyses++
      try {
        return await analyze(used.models)
      } finally {
        used.analyses--
        await releaseUnused(used)
      }
    },
    replace(next) {
      const earlier = present
      present = { ...next, analyses: 0 }
      if (earlier) void releaseUnused(earlier)
    },
  }
}
