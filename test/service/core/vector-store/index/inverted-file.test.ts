/** The inverted file, the index of galleries: trained lists, the candidates of an exact scan, and no trace of removed vectors. */

import { openCodeMemory } from '#core/vector-store/codes/int8-codes.ts'
import { openKMeansTrainer } from '#core/vector-store/index/k-means.ts'
import { CodeGallery } from '#core/vector-store/shard/code-gallery.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import { times } from '#test/support/times.ts'
import { unitVectors } from '#test/unit/wasm/kernels/oracle.ts'

const DIMENSION = 40
const CLUSTERS = 12

/** A sealed gallery of clusters: row r belongs to cluster r % CLUSTERS. Less noise makes tighter clusters. */
async function clusteredGallery(count: number, noise = 0.2) {
  const memory = await openCodeMemory()
  const codes = new CodeGallery(memory, DIMENSION)
  const middles = times(CLUSTERS, unitVectors(DIMENSION, 'even', 1))
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
async function trained(codes: CodeGallery, lists: number) {
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
function arrangeAll(codes: CodeGallery, { index, assignment }: Awaited<ReturnType<typeof trained>>) {
  for (const _ of codes.arrange(index, assignment));
}

/** With a leak of four kilobytes per index, the memory would grow. */
const OPENED_INDEXES = 5_000

const listsOf = (rows: number) => Math.ceil(rows / 60)

describe('an inverted file', () => {
  it('finds the same candidates as an exact scan, with the same scores', async () => {
    const { codes, units } = await clusteredGallery(3_000)
    const probes = units.slice(0, 200)
    const exact = probes.map(probe => codes.scan(probe, { wanted: 5 }).candidates)
    arrangeAll(codes, await trained(codes, listsOf(3_000)))
    expect(codes.counts()).toEqual({ linear: 0, preindex: 0, indexed: 3_000 })
    for (const [i, probe] of probes.entries())
      expect(codes.scan(probe, { wanted: 5 })).toMatchObject({ candidates: exact[i]!, withIndex: true })
  })

  it('releases all its memory', async () => {
    const { codes, memory } = await clusteredGallery(180)
    const { index } = await trained(codes, listsOf(180))
    const { size } = memory
    for (let opened = 0; opened < OPENED_INDEXES; opened++) {
      codes.loadIndex(index, [])
      codes.forgetIndex()
    }
    expect(memory.size).toBe(size)
  })
})

it('openKMeansTrainer trains unit vectors from rows with fewer distinct values than lists', {
  tags: 'long',
}, async () => {
  const codes = new CodeGallery(await openCodeMemory(), DIMENSION)
  const [a, b] = [unitVectors(DIMENSION, 'even', 1)(), unitVectors(DIMENSION, 'even', 2)()]
  for (let id = 0; id < 100; id++) codes.add(id, id % 2 ? a : b)
  codes.seal()
  const { index } = await trained(codes, 10)
  for (let list = 0; list < 10; list++) {
    const centroid = index.model.subarray(list * DIMENSION, (list + 1) * DIMENSION)
    expect(Math.hypot(...centroid)).toBeCloseTo(1, 5)
  }
})

it('slices of a gallery sample rows at even distances', async () => {
  const { codes } = await clusteredGallery(1_000)
  const ids = [...codes.slices(7, 30)].flatMap(slice => [...slice.ids])
  expect(ids).toEqual(times(34, i => i * 30))
})
