/** Unit vectors for tests: random, sparse, with one large value, and often equal. */
import fc from 'fast-check'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'

export type Kind = 'even' | 'sparse' | 'steep' | 'coarse'

export const kinds = fc.constantFrom<Kind[]>('even', 'sparse', 'steep', 'coarse')

/** Dimensions from 16 to 1024, multiples of 16 and others. */
export const dimensions = fc.oneof(
  fc.constantFrom(16, 17, 31, 32, 100, 128, 160, 500, 512, 1023, 1024),
  fc.integer({ min: 16, max: 300 }),
)

/** A generator of unit vectors. `coarse` ones are often equal. */
export function unitVectors(dimension: number, kind: Kind, seed: number): () => Float32Array {
  const random = seededRandom(seed)
  const value: Record<Kind, (i: number) => number> = {
    even: () => random() - 0.5,
    sparse: i => (i === 0 || random() < 0.1 ? random() - 0.5 : 0),
    steep: i => (random() - 0.5) * (i === seed % dimension ? 100 : 0.1),
    coarse: i => (i < 3 ? Math.round(random() * 2) - 1 : i === 3 ? 1 : 0),
  }
  return () => unitVector(Float32Array.from({ length: dimension }, (_, i) => value[kind](i)))
}
