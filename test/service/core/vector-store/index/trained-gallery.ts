/** Galleries of clustered vectors, and indexes trained on them. */

import { openCodeMemory } from '#core/vector-store/codes/int8-codes.ts'
import { openKMeansTrainer } from '#core/vector-store/index/k-means.ts'
import { CodeGallery } from '#core/vector-store/shard/code-gallery.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import { unitVectors } from '#test/unit/wasm/kernels/oracle.ts'

export const DIMENSION = 40
const CLUSTERS = 12

/** A sealed gallery of clusters: row r belongs to cluster r % CLUSTERS. Less noise makes tighter clusters. */
export async function clusteredGallery(count: number, noise = 0.2) {
  const memory = await openCodeMemory()
  const codes = new CodeGallery(memory, DIMENSION)
  const middles = Array.from({ length: CLUSTERS }, unitVectors(DIMENSION, 'even', 1))
  const next = unitVectors(DIMENSION, 'even', 2)
  const units: Float32Array[] = []
  for (let id = 0; id < count; id++) {
    const deviation = next()
    units.push(unitVector(middles[id % CLUSTERS]!.map((value, i) => value + noise * deviation[i]!)))
    codes.add(id, units[id]!)
  }
  codes.seal()
  return { codes, units, memory }
}

/** Trains an index on the gallery's rows and assigns them. */
export async function trained(codes: CodeGallery, lists: number) {
  const trainer = await openKMeansTrainer(codes.dimension)
  const [sample] = codes.slices(12_000, Math.ceil(codes.size / 12_000))
  const model = trainer.train(sample!, lists)
  const ids: number[] = []
  const assigned: number[] = []
  for (const slice of codes.slices(333)) {
    ids.push(...slice.ids)
    assigned.push(...trainer.assign(slice))
  }
  return {
    index: { model, lists },
    assignment: { ids: Float64Array.from(ids), lists: Uint32Array.from(assigned) },
  }
}

/** Moves all rows of the gallery into an index. */
export function arrangeAll(
  codes: CodeGallery,
  { index, assignment }: Awaited<ReturnType<typeof trained>>,
): void {
  for (const _ of codes.arrange(index, assignment));
}
