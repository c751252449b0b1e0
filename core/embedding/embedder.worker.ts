/** A worker thread of the embedder: loads the network once, then embeds batches. */
import { workerData } from 'piscina'
import { type PlacedFiles, readerOf } from '../../models/files.ts'
import type { EmbedderModel } from '../../models/manifest.ts'
import { type Batch, openSession } from './chip-pool.ts'
import { embedBatch } from './embed-batch.ts'

/** Start parameters of each thread. */
export interface WorkerSetup {
  readonly model: EmbedderModel
  readonly files: PlacedFiles
  readonly native: boolean
}

const { model, files, native }: WorkerSetup = workerData
const session = await openSession(await readerOf(files)(model.file), { native })

export default ({ chips }: Batch<null>): Promise<Float32Array[]> => embedBatch(session, model, chips)
