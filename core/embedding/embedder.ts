/** Chips to embeddings, on worker threads. */
import { type EmbedderModel, STANDARD } from '../../models/manifest.ts'
import { type ChipPool, openChipPool } from './chip-pool.ts'
import { chipLength } from './embed-batch.ts'
import type { WorkerSetup } from './worker.ts'

export interface Embedder {
  /**
   * One embedding per chip, in their order: equal chips give equal embeddings. Throws SERVICE_UNAVAILABLE when more
   * chips wait than there is room for; nothing of this call is embedded then.
   */
  embed(chips: readonly Uint8Array[]): Promise<Float32Array[]>
  /** Finishes what is under way and ends the threads. */
  close(): Promise<void>
}

export interface EmbedderOptions {
  model?: EmbedderModel
  /** Worker threads; all cores but one unless given. */
  threads?: number
  /** False: run in WASM even where there is a native binary. */
  native?: boolean
  /** Chips that may wait at once. */
  room?: number
}

/** Starts the threads and resolves when each has loaded the network. Throws when the model is not built. */
export async function openEmbedder({
  model = STANDARD.embedder,
  threads,
  native = true,
  room,
}: EmbedderOptions = {}): Promise<Embedder> {
  const setup: WorkerSetup = { model, native }
  const pool: ChipPool<null, Float32Array> = await openChipPool({
    worker: new URL('worker.ts', import.meta.url),
    setup,
    chipLength: () => chipLength(model),
    warmUp: [null],
    threads,
    room,
  })
  return { embed: chips => pool.run(chips, null), close: () => pool.close() }
}
