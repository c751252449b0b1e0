/** Chips to age, gender and emotions, on worker threads of their own: who only wants embeddings does not wait for them. */
import { inputLength } from '../../models/input.ts'
import { type Pack, STANDARD } from '../../models/manifest.ts'
import type { Asked, Attributes } from '../contract/attributes.ts'
import { type ChipPool, openChipPool } from './chip-pool.ts'
import type { EstimatorSetup } from './estimator.worker.ts'

export interface Estimator {
  /**
   * What is asked of each chip, in their order. Throws SERVICE_UNAVAILABLE when more chips wait than there is room for.
   */
  estimate(chips: readonly Uint8Array[], asked: Asked): Promise<Attributes[]>
  /** Finishes what is under way and ends the threads. */
  close(): Promise<void>
}

export interface EstimatorOptions {
  pack?: Pick<Pack, 'attributes' | 'embedder'>
  /** Worker threads; all cores but one unless given. */
  threads?: number
  /** False: run in WASM even where there is a native binary. */
  native?: boolean
}

/** Starts the threads and resolves when each has loaded the networks. Throws when a model is not built. */
export async function openEstimator({
  pack: { attributes, embedder } = STANDARD,
  threads,
  native = true,
}: EstimatorOptions = {}): Promise<Estimator> {
  const { size } = embedder.chip
  const setup: EstimatorSetup = { models: attributes, chipSide: size, native }
  const pool: ChipPool<Asked, Attributes> = await openChipPool({
    worker: new URL('estimator.worker.ts', import.meta.url),
    setup,
    chipLength: inputLength(size, size),
    warmUp: { age: true, gender: true, emotions: true },
    threads,
  })
  return { estimate: (chips, asked) => pool.run(chips, asked), close: () => pool.close() }
}
