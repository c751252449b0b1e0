/** Embeds chips on worker threads. */
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'
import { MODULE_EXTENSION } from '../files/program-form.ts'
import { type ChipPool, openChipPool } from './chip-pool.ts'
import { chipLength } from './embed-batch.ts'
import type { WorkerSetup } from './embedder.worker.ts'

interface Embedder {
  /**
   * One embedding per chip, in order; equal chips give equal embeddings. Throws SERVICE_UNAVAILABLE, without embedding
   * any chip, when too many chips wait.
   */
  embed(chips: readonly Uint8Array[]): Promise<Float32Array[]>
  /** Finishes running tasks and ends the threads. */
  close(): Promise<void>
}

interface EmbedderOptions {
  pack?: Pick<PlacedPack, 'embedder' | 'files'>
  /** Worker threads; all CPU cores but one unless given. */
  threads?: number
  /** False: runs in WASM even when there is a native binary. */
  native?: boolean
  /** Maximum number of waiting chips. */
  room?: number
}

/** Starts the threads and resolves when all have loaded the network. Throws when its file is missing or does not match. */
export async function openEmbedder({
  pack: { embedder: model, files } = STANDARD_PACK,
  threads,
  native = true,
  room,
}: EmbedderOptions = {}): Promise<Embedder> {
  const setup: WorkerSetup = { model, files, native }
  const pool: ChipPool<null, Float32Array> = await openChipPool({
    worker: new URL(`embedder.worker${MODULE_EXTENSION}`, import.meta.url),
    setup,
    chipLength: () => chipLength(model),
    warmUp: [null],
    threads,
    room,
  })
  return { embed: chips => pool.run(chips, null), close: pool.close }
}
