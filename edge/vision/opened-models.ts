/** The vision models of an isolate: opened on first use. */
import { environment } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import type { VisionModels } from '../../wasm/pipeline.ts'
import { pause } from '../admission/fair-queue.ts'

/** Poll interval of a request while another request loads the networks. */
const LOAD_POLL_MS = 10

export type OpenedModels = () => Promise<VisionModels>

/**
 * Opens the models once, and again after a failure. Other requests poll until they are open, because the runtime ends a request
 * that awaits a promise of another request.
 */
export function openedModels(open: () => Promise<VisionModels>): OpenedModels {
  let present: VisionModels | undefined
  let loadExpiresAt = 0
  return async () => {
    while (!present) {
      if (environment.now() < loadExpiresAt) {
        await pause(LOAD_POLL_MS)
        continue
      }
      loadExpiresAt = environment.now() + EDGE_LIMITS.waitMs
      try {
        const first = await open()
        present ??= first
      } finally {
        loadExpiresAt = 0
      }
    }
    return present
  }
}
