/** Analyses photos in the isolate, or in core when decoding exceeds the limits of the isolate. */
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import { type DecodeLimits, ExceedsDecodeLimits } from '../../wasm/decode/budget.ts'
import { type AnalysisOptions, analyzePhoto, type PhotoAnalysis } from '../../wasm/pipeline.ts'
import type { Core } from '../core-client/core-client.ts'
import type { StageEnded } from '../metrics.ts'
import type { InferenceScheduler } from './inference-scheduler.ts'
import type { OpenedModels } from './opened-models.ts'

/**
 * Bounds of the decodes of an isolate. Networks and a body use about 70 MB of its 128 MB (`npm run bench -- worker-memory`).
 * `maxEffort` bounds a decode to 1 s, `maxBlockingEffort` a decode that cannot pause to 0.15 s on the machine of docs/performance.md: a
 * 12 Mpx phone photo decoded at three quarters of its size.
 */
export const DECODE_LIMITS = {
  maxBytes: 44 * 2 ** 20,
  maxEffort: 100_000_000,
  maxBlockingEffort: 60_000_000,
} as const satisfies DecodeLimits

/** The request that a photo belongs to. */
interface PhotoRequest {
  /** Id of the token. Tokens take turns. */
  token: string
  stageEnded: StageEnded
}

export interface PhotoAnalyzer {
  /** Finds the faces, and cuts chips of the selected ones. `param` names the photo in errors. */
  analyze(
    bytes: Uint8Array<ArrayBuffer>,
    selection: Selection | undefined,
    param: string,
    request: PhotoRequest,
  ): Promise<PhotoAnalysis>
}

/** `scheduler` runs analyses in the isolate, `large` those in core: a token has one of each. */
export function photoAnalyzer(
  core: Core,
  scheduler: Pick<InferenceScheduler, 'schedule'>,
  large: Pick<InferenceScheduler, 'schedule'>,
  models: OpenedModels,
): PhotoAnalyzer {
  return {
    async analyze(bytes, selection, param, { token, stageEnded }) {
      const arrivedAt = environment.now()
      try {
        return await scheduler.schedule(token, async shared => {
          stageEnded('queue', arrivedAt)
          const options = { ...DECODE_LIMITS, ...shared, param, wrapStage: measureStage(stageEnded) }
          return analyzePhoto(await models(), bytes, selection, options)
        })
      } catch (error) {
        if (!(error instanceof ExceedsDecodeLimits)) throw error
        return large.schedule(token, () => analyzeInCore(core, bytes, selection, param))
      }
    },
  }
}

const measureStage =
  (stageEnded: StageEnded): AnalysisOptions['wrapStage'] =>
  async (stage, work) => {
    const startedAt = environment.now()
    try {
      return await work()
    } finally {
      stageEnded(stage, startedAt)
    }
  }

/** Analyses in core. A core of 0.2 does not know `most`. Few faces do not need it. */
async function analyzeInCore(
  core: Core,
  bytes: Uint8Array,
  selection: Selection | undefined,
  param: string,
): Promise<PhotoAnalysis> {
  const needsMost = selection?.located || (selection?.boxes.length ?? 0) > PHOTO_LIMITS.ungroupedFaces
  const first = needsMost ? selection : selection && { ...selection, most: undefined }
  const { response, blobs } = await core
    .call('photo.analyze', { param, selection: first }, [bytes])
    .catch(error => {
      const isCrowd = error instanceof ServiceError && error.code === 'TOO_MANY_FACES'
      if (!isCrowd || selection?.selector === 'reject') throw error
      return core.call('photo.analyze', { param, selection }, [bytes])
    })
  const selected = response.selected.map(({ thumbnail, ...face }, i) => {
    const [chip, data] = blobs.slice(2 * i)
    if (!chip || !data) throw new ServiceError('INTERNAL_ERROR')
    return { ...face, chip, thumbnail: { ...thumbnail, data } }
  })
  return { ...response, selected }
}
