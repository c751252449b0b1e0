/** The dimensions of galleries whose shards know only those of their own vectors. */
import { type VectorEntry, VectorRefused } from '../vector-store.ts'

/** Galleries that are remembered; others are looked up again. */
const MOST = 100_000

/** What is remembered of a gallery. A change of anything is another record, so that it can be noticed. */
interface Known {
  readonly dimension: number
  /** Additions under way. While there is one the dimension is certain, though no vector may be there yet. */
  readonly adding: number
}

export class Dimensions {
  readonly #look: (gallery: string) => Promise<number | undefined>
  readonly #known = new Map<string, Known>()

  /** `look` tells the dimension of what is stored of a gallery: undefined when that is nothing. */
  constructor(look: (gallery: string) => Promise<number | undefined>) {
    this.#look = look
  }

  /** Adds while the galleries are held to the dimensions of these entries. Throws VectorRefused when they have others. */
  async holding(entries: readonly VectorEntry[], add: () => Promise<void>): Promise<void> {
    const wanted = new Map<string, number>()
    for (const { gallery, vector } of entries) {
      if ((wanted.get(gallery) ?? vector.length) !== vector.length) throw new VectorRefused('dimension')
      wanted.set(gallery, vector.length)
    }
    const held: string[] = []
    try {
      for (const [gallery, dimension] of wanted) {
        await this.#hold(gallery, dimension)
        held.push(gallery)
      }
      await add()
    } finally {
      for (const gallery of held) this.#release(gallery)
    }
  }

  async #hold(gallery: string, dimension: number): Promise<void> {
    for (;;) {
      const known = this.#known.get(gallery)
      if (known?.dimension === dimension) return this.#remember(gallery, dimension, known.adding + 1)
      if (known && known.adding > 0) throw new VectorRefused('dimension')
      // A new gallery, or one that may have been emptied since.
      const stored = await this.#look(gallery)
      if (this.#known.get(gallery) !== known) continue
      if (stored !== undefined && stored !== dimension) throw new VectorRefused('dimension')
      return this.#remember(gallery, dimension, 1)
    }
  }

  #release(gallery: string): void {
    const { dimension, adding } = this.#known.get(gallery)!
    this.#remember(gallery, dimension, adding - 1)
  }

  #remember(gallery: string, dimension: number, adding: number): void {
    this.#known.set(gallery, { dimension, adding })
    if (this.#known.size <= MOST) return
    for (const [other, { adding }] of this.#known) {
      if (adding === 0) return void this.#known.delete(other)
    }
  }
}
