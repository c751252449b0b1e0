/** Estimates age, gender and emotions on separate worker threads: embedding does not wait for them. */

import type { Attributes, RequestedAttributes } from '../../contract/model/attributes.ts'
import { inputLength } from '../../models/input.ts'
import type { AttributeModels, EmbedderModel } from '../../models/manifest.ts'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'
import type { Thumbnail } from '../../wasm/imaging/thumbnail.ts'
import { MODULE_EXTENSION } from '../files/program-form.ts'
import { type ChipPool, openChipPool } from './chip-pool.ts'
import { squaresLength, squaresOf } from './estimate-batch.ts'
import type { EstimatorSetup } from './estimator.worker.ts'

/** The pictures of a face: age and gender are estimated from its chip, emotions from its thumbnail. */
export interface ShownFace {
  readonly chip: Uint8Array
  /** Required for emotions. */
  readonly thumbnail?: Thumbnail
}

interface Estimator {
  /**
   * The requested attributes of each face, in order. Throws SERVICE_UNAVAILABLE when too many faces wait, and an Error
   * when emotions are requested for a face without a thumbnail.
   */
  estimate(faces: readonly ShownFace[], asked: RequestedAttributes): Promise<Attributes[]>
  /** Finishes running tasks and ends the threads. */
  close(): Promise<void>
}

interface EstimatorOptions {
  pack?: Pick<PlacedPack, 'attributes' | 'files'> & { embedder: Pick<EmbedderModel, 'chip'> }
  /** Worker threads; all CPU cores but one unless given. */
  threads?: number
  /** False: runs in WASM even when there is a native binary. */
  native?: boolean
}

/** Starts the threads and resolves when all have loaded the networks. Throws when a model is not built. */
export async function openEstimator({
  pack: { attributes: models, embedder, files } = STANDARD_PACK,
  threads,
  native = true,
}: EstimatorOptions = {}): Promise<Estimator> {
  const { chip } = embedder
  const setup: EstimatorSetup = { models, files, chip, native }
  const pool: ChipPool<keyof AttributeModels, Attributes> = await openChipPool({
    worker: new URL(`estimator.worker${MODULE_EXTENSION}`, import.meta.url),
    setup,
    chipLength: network =>
      network === 'ageGender' ? inputLength(chip.size, chip.size) : squaresLength(models.emotion),
    warmUp: ['ageGender', 'emotion'],
    threads,
  })
  // Thumbnails differ in size, squares do not: squares are cut here because threads receive blocks of equal length.
  const squares = ({ thumbnail }: ShownFace): Uint8Array => {
    if (!thumbnail) throw new Error('emotions are estimated from a thumbnail, and there is none')
    return squaresOf(thumbnail, models.emotion)
  }
  return {
    async estimate(faces, asked) {
      const chips = asked.age || asked.gender ? faces.map(({ chip }) => chip) : []
      const cut = asked.emotions ? faces.map(squares) : []
      const [persons, emotions] = await Promise.all([pool.run(chips, 'ageGender'), pool.run(cut, 'emotion')])
      return faces.map((_, i) => ({
        ...(asked.age ? { age: persons[i]!.age! } : {}),
        ...(asked.gender ? { gender: persons[i]!.gender! } : {}),
        ...emotions[i],
      }))
    },
    close: pool.close,
  }
}
