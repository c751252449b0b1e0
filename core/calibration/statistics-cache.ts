/** Caches standings by the embedding itself: enrolments and deletions need no invalidation. */
import type { CohortStatistics } from './cohort.ts'

/** Number of slots, a power of two; 24 bytes each. A new entry replaces the previous one of its slot. */
const SLOTS = 2 ** 18

export class StatisticsCache {
  readonly #compute: (embedding: Float32Array) => CohortStatistics
  /** By slot: the embedding's hash (NaN in an empty slot), and its standing. */
  readonly #hashes = new Float64Array(SLOTS).fill(Number.NaN)
  readonly #means = new Float64Array(SLOTS)
  readonly #deviations = new Float64Array(SLOTS)

  constructor(compute: (embedding: Float32Array) => CohortStatistics) {
    this.#compute = compute
  }

  /** The bitwise result of `compute`, from the cache when it is there. */
  of(embedding: Float32Array): CohortStatistics {
    const hash = hashOf(embedding)
    const slot = hash % SLOTS
    if (this.#hashes[slot] === hash) return { mean: this.#means[slot]!, deviation: this.#deviations[slot]! }
    const standing = this.#compute(embedding)
    this.#hashes[slot] = hash
    this.#means[slot] = standing.mean
    this.#deviations[slot] = standing.deviation
    return standing
  }
}

/** 53 bits of two multiplicative hashes. The probability of a collision among a million embeddings is 1 in 18,000. */
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
