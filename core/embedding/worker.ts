/** One worker thread of the embedder: loads the network once, then embeds batch after batch. */
import { workerData } from 'piscina'
import { readModel } from '../../models/files.ts'
import type { EmbedderModel } from '../../models/manifest.ts'
import { embedBatch } from './embed-batch.ts'
import { openSession } from './session.ts'

/** What each thread is started with. */
export interface WorkerSetup {
  readonly model: EmbedderModel
  readonly native: boolean
}

const { model, native }: WorkerSetup = workerData
const session = await openSession(await readModel(model.file), { native })

/** Chips one after the other -> embeddings one after the other. */
export default (chips: Uint8Array): Promise<Float32Array> => embedBatch(session, model, chips)
