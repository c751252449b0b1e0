/** Looking at photos: here when they fit the isolate, in core when they do not. */
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import type { Selection } from '../../core/contract/model/selector.ts'
import { type DecodeLimits, ExceedsDecodeLimits } from '../../wasm/decode/budget.ts'
import { analyzePhoto, type PhotoAnalysis, type VisionModels } from '../../wasm/pipeline.ts'
import { pause } from '../admission/fair-queue.ts'
import type { Core } from '../core-client/core-client.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import type { InferenceScheduler } from './inference-scheduler.ts'

/**
 * What all decodes in progress may take: of the isolate's 128 MB networks and body use some 70 (`npm run bench -- worker-memory`).
 * A decode takes a second at most. One that can't pause takes 0.15 s at most on the machine of docs/performance.md: a 12 Mpx
 * telephone photo decoded to three quarters.
 */
export const DECODE_LIMITS = {
  budget: 44 * 2 ** 20,
  patience: 100_000_000,
  stretch: 60_000_000,
} as const satisfies DecodeLimits

/** How often a request looks whether the networks are loaded that another request is loading. */
const LOADED_LOOK_MS = 10

export interface PhotoAnalyzer {
  /** Faces on the photo; chips of those that the selection means. `param` names the photo in errors. Tokens take turns. */
  analyze(
    bytes: Uint8Array<ArrayBuffer>,
    selection: Selection | undefined,
    param: string,
    token: string,
  ): Promise<PhotoAnalysis>
}

export function photoAnalyzer(
  core: Core,
  scheduler: Pick<InferenceScheduler, 'schedule'>,
  openVisionModels: () => Promise<VisionModels>,
): PhotoAnalyzer {
  const opened = openedOnce(openVisionModels)

  return {
    async analyze(bytes, selection, param, token) {
      try {
        return await scheduler.schedule(token, async shared =>
          analyzePhoto(await opened(), bytes, selection, { ...DECODE_LIMITS, ...shared, param }),
        )
      } catch (error) {
        if (error instanceof ExceedsDecodeLimits) return lookInCore(core, bytes, selection, param)
        throw error
      }
    },
  }
}

/**
 * Opens the eyes once. Requests that come meanwhile look now and then whether they are open: the runtime ends a request that
 * awaits the promise of another.
 */
function openedOnce(openVisionModels: () => Promise<VisionModels>): () => Promise<VisionModels> {
  let models: VisionModels | undefined
  let lostAt = 0
  return async () => {
    while (!models) {
      if (Date.now() < lostAt) {
        await pause(LOADED_LOOK_MS)
        continue
      }
      lostAt = Date.now() + LIMITS.edgeWaitMs
      try {
        models = await openVisionModels()
      } finally {
        lostAt = 0
      }
    }
    return models
  }
}

async function lookInCore(
  core: Core,
  bytes: Uint8Array,
  selection: Selection | undefined,
  param: string,
): Promise<PhotoAnalysis> {
  const question = { param, ...omitUndefined('selection', selection) }
  const { answer, blobs } = await core.ask('photo.look', question, [bytes])
  const selected = answer.selected.map(({ thumbnail, ...face }, i) => {
    const [chip, data] = blobs.slice(2 * i)
    if (!chip || !data) throw new ServiceError('INTERNAL_ERROR')
    return { ...face, chip, thumbnail: { ...thumbnail, data } }
  })
  return { ...answer, selected }
}
