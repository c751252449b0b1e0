/** The worker thread of analyze.ts, with its own decoders and networks; analyzes one photo at a time. */
import { workerData } from 'piscina'
import { type ErrorCode, type ErrorDetail, ServiceError } from '../../contract/errors.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { ExceedsDecodeLimits } from '../../wasm/decode/budget.ts'
import { loadCodecs } from '../../wasm/decode/codecs.node.ts'
import { isDecoderCrash } from '../../wasm/decode/photo-file.ts'
import { analyzePhoto, openVisionModels, type PhotoAnalysis, type VisionModels } from '../../wasm/pipeline.ts'
import { openRuntime } from '../../wasm/runtime/runtime.node.ts'

/** Start parameters of each thread. */
export interface AnalyzerSetup {
  readonly pack: PlacedPack
}

export interface AnalyzerTask {
  bytes: Uint8Array
  selection: Selection | undefined
  param: string
}

/** Result of one task. Errors lose their class between threads: a refusal is transferred as its code and detail. */
export type AnalyzerOutcome =
  | { sighting: PhotoAnalysis }
  | { refusal: { code: ErrorCode; detail: ErrorDetail }; fell: boolean }

/** Memory budget of one decode in bytes: PHOTO_LIMITS.pixels in the costliest format that is decoded as a whole. */
const DECODE_BUDGET = 2 ** 30

/** Opened once per thread. Tasks do not change it. */
let models: VisionModels | undefined

/** Opens the networks, which can take longer than the time limit of a photo. After a failure, the next task tries again. */
export async function open(): Promise<void> {
  models ??= await openNodeModels()
}

export default async function analyze({ bytes, selection, param }: AnalyzerTask): Promise<AnalyzerOutcome> {
  models ??= await openNodeModels()
  try {
    const options = { maxBytes: DECODE_BUDGET, param }
    return { sighting: copyPixels(await analyzePhoto(models, bytes, selection, options)) }
  } catch (error) {
    if (error instanceof ServiceError)
      return { refusal: { code: error.code, detail: error.detail }, fell: isDecoderCrash(error) }
    if (error instanceof ExceedsDecodeLimits)
      return { refusal: { code: 'BAD_IMAGE', detail: { param, reason: TOO_COSTLY } }, fell: false }
    throw error
  }
}

const TOO_COSTLY = 'The photo takes too much memory to decode. A smaller or plainer copy of it will do.'

async function openNodeModels(): Promise<VisionModels> {
  const { pack }: AnalyzerSetup = workerData
  return openVisionModels(await openRuntime(), loadCodecs(), readerOf(pack.files), pack)
}

/** Copies the pixels: a view would transfer its whole underlying memory to the other thread. */
const copyPixels = (sighting: PhotoAnalysis): PhotoAnalysis => ({
  ...sighting,
  selected: sighting.selected.map(({ chip, thumbnail, ...face }) => ({
    ...face,
    chip: chip.slice(),
    thumbnail: { ...thumbnail, data: thumbnail.data.slice() },
  })),
})
