/** A worker thread of the embedder: loads the networks once, then embeds batches. */
import { workerData } from 'piscina'
import { type PlacedFiles, readerOf } from '../../models/files.ts'
import type { EmbedderModel } from '../../models/manifest.ts'
import type { Batch } from './chip-pool.ts'
import { embedBatch, loadEmbedder } from './embed-batch.ts'

/** Start parameters of each thread. */
export interface WorkerSetup {
  readonly model: EmbedderModel
  readonly files: PlacedFiles
  readonly native: boolean
}

const { model, files, native }: WorkerSetup = workerData
const embedder = await loadEmbedder(model, readerOf(files), { native })

export default ({ chips }: Batch<null>): Promise<Float32Array[]> => embedBatch(embedder, chips)
