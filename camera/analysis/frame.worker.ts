/** A worker thread of the analyzer: finds the faces of a frame and embeds them. Each thread has its networks. */
import { workerData } from 'piscina'
import { embedBatch, loadEmbedder } from '../../core/embedding/embed-batch.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { loadCodecs } from '../../wasm/decode/codecs.node.ts'
import type { WantedFaces } from '../../wasm/detectors/detection.ts'
import type { Raster } from '../../wasm/imaging/orientation.ts'
import { analyzeFrame, openVisionModels } from '../../wasm/pipeline.ts'
import { mainFault } from '../../wasm/quality/quality-score.ts'
import { openFastestRuntime } from '../../wasm/runtime/runtime.node.ts'
import { shareInside } from '../region.ts'
import type { SeenFace } from '../tracker.ts'

/** Start parameters of each thread. */
export interface FrameSetup {
  readonly pack: PlacedPack
}

export interface FrameTask {
  readonly frame: Raster
  /** Least side of a face in pixels. */
  readonly leastSide: number
  readonly wanted: WantedFaces
}

const { pack }: FrameSetup = workerData
const read = readerOf(pack.files)
const models = await openVisionModels(await openFastestRuntime(), loadCodecs(), read, pack)
const embedder = await loadEmbedder(pack.embedder, read)

/** Share of a face inside the picture below which the edge cuts it. */
const WHOLE = 0.9

export default async function analyze({ frame, ...options }: FrameTask): Promise<SeenFace[]> {
  const seen: SeenFace[] = []
  const faces = await analyzeFrame(models, frame, {
    ...options,
    onUnused: (box, fault) => seen.push({ box, fault, quality: 0, roll: 0, embedding: new Float32Array() }),
  })
  for (const { box, chip, quality } of faces)
    seen.push({
      box,
      // A whole face wins over one that the edge cuts.
      quality: (quality.quality ?? 0) * shareInside(box, frame),
      fault: shareInside(box, frame) < WHOLE ? 'cut' : mainFault(quality),
      roll: quality.roll,
      embedding: (await embedBatch(embedder, chip))[0]!,
    })
  return seen
}
