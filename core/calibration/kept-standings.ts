/** Standings that were computed before, found again by the embedding itself: nothing has to be told when faces come and go. */
import type { Standing } from './cohort.ts'

/** Places, a power of two; 24 bytes each. Who comes to a taken place takes it. */
const PLACES = 2 ** 18

export class KeptStandings {
  readonly #compute: (embedding: Float32Array) => Standing
  /** By place: the embedding's hash (NaN where nobody has been), and its standing. */
  readonly #hashes = new Float64Array(PLACES).fill(Number.NaN)
  readonly #means = new Float64Array(PLACES)
  readonly #deviations = new Float64Array(PLACES)

  constructor(compute: (embedding: Float32Array) => Standing) {
    this.#compute = compute
  }

  /** What `compute` gives, to the bit. */
  of(embedding: Float32Array): Standing {
    const hash = hashOf(embedding)
    const place = hash % PLACES
    if (this.#hashes[place] === hash)
      return { mean: this.#means[place]!, deviation: this.#deviations[place]! }
    const standing = this.#compute(embedding)
    this.#hashes[place] = hash
    this.#means[place] = standing.mean
    this.#deviations[place] = standing.deviation
    return standing
  }
}

/** 53 bits of two multiplicative hashes: among a million embeddings two meet once in 18,000 installations. */
function hashOf({ buffer, byteOffset, length }: Float32Array): number {
  const words = new Uint32Array(buffer, byteOffset, length)
  let [low, high] = [0x9e3779b9, 0x85ebca6b]
  for (let i = 0; i < length; i++) {
    low = Math.imul(low ^ words[i]!, 0x01000193)
    low ^= low >>> 15
    high = Math.imul(high ^ words[i]!, 0xc2b2ae35)
    high ^= high >>> 13
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}
