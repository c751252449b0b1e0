/** Faces to age, gender and emotions, on worker threads of their own: who only wants embeddings does not wait for them. */
import { inputLength } from '../../models/input.ts'
import type { AttributeModels, EmbedderModel } from '../../models/manifest.ts'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'
import type { Thumbnail } from '../../wasm/imaging/thumbnail.ts'
import type { Attributes, RequestedAttributes } from '../contract/model/attributes.ts'
import { type ChipPool, openChipPool } from './chip-pool.ts'
import type { EstimatorSetup } from './estimator.worker.ts'
import { squaresLength, squaresOf } from './squares.ts'

/** What a face looks like: age and gender are read off its chip, emotions off its thumbnail. */
export interface ShownFace {
  readonly chip: Uint8Array
  /** Needed where emotions are asked for. */
  readonly thumbnail?: Thumbnail
}

export interface Estimator {
  /**
   * What is asked of each face, in their order. Throws SERVICE_UNAVAILABLE when more faces wait than there is room for,
   * and an Error when emotions are asked of a face without a thumbnail.
   */
  estimate(faces: readonly ShownFace[], asked: RequestedAttributes): Promise<Attributes[]>
  /** Finishes what is under way and ends the threads. */
  close(): Promise<void>
}

export interface EstimatorOptions {
  pack?: Pick<PlacedPack, 'attributes' | 'files'> & { embedder: Pick<EmbedderModel, 'chip'> }
  /** Worker threads; all cores but one unless given. */
  threads?: number
  /** False: run in WASM even where there is a native binary. */
  native?: boolean
}

/** Starts the threads and resolves when each has loaded the networks. Throws when a model is not built. */
export async function openEstimator({
  pack: { attributes: models, embedder, files } = STANDARD_PACK,
  threads,
  native = true,
}: EstimatorOptions = {}): Promise<Estimator> {
  const { chip } = embedder
  const setup: EstimatorSetup = { models, files, chip, native }
  const pool: ChipPool<keyof AttributeModels, Attributes> = await openChipPool({
    worker: new URL('estimator.worker.ts', import.meta.url),
    setup,
    chipLength: network =>
      network === 'ageGender' ? inputLength(chip.size, chip.size) : squaresLength(models.emotion),
    warmUp: ['ageGender', 'emotion'],
    threads,
  })
  // Thumbnails differ in size and their squares do not: cut here, these make blocks of one length for the threads.
  const squares = ({ thumbnail }: ShownFace): Uint8Array => {
    if (!thumbnail) throw new Error('emotions are read off thumbnails, and there is none')
    return squaresOf(thumbnail, models.emotion)
  }
  return {
    async estimate(faces, asked) {
      const chips = asked.age || asked.gender ? faces.map(({ chip }) => chip) : []
      const cut = asked.emotions ? faces.map(squares) : []
      const [persons, moods] = await Promise.all([pool.run(chips, 'ageGender'), pool.run(cut, 'emotion')])
      return faces.map((_, i) => ({
        ...(asked.age ? { age: persons[i]!.age! } : {}),
        ...(asked.gender ? { gender: persons[i]!.gender! } : {}),
        ...moods[i],
      }))
    },
    close: () => pool.close(),
  }
}
