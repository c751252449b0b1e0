/** Making an index: the same in every build, and what is alike lies in one list. */
import { describe, expect, it } from 'vitest'
import { CodeGallery } from '../../../../../core/vector-store/codes/code-gallery.ts'
import { openCodeMemory } from '../../../../../core/vector-store/codes/code-memory.ts'
import { listsFor, openKMeansIndexBuilder } from '../../../../../core/vector-store/index/k-means.ts'
import { seededRandom } from '../../../../../core/vector-store/index/seeded-random.ts'
import { unitVector } from '../../../../../core/vector-store/unit-vector.ts'
import type { KernelBuild } from '../../../../../wasm/kernels/kernels.ts'
import { unitVectors } from '../../../../unit/wasm/kernels/vectors.ts'

const DIMENSION = 40
const GROUPS = 12

/** A gallery of groups, the tighter the less noise: row r is of group r % GROUPS. */
async function groups(count: number, share = 0.2) {
  const codes = new CodeGallery(await openCodeMemory(), DIMENSION)
  const middles = Array.from({ length: GROUPS }, unitVectors(DIMENSION, 'even', 1))
  const next = unitVectors(DIMENSION, 'even', 2)
  const units: Float32Array[] = []
  for (let id = 0; id < count; id++) {
    const noise = next()
    units.push(unitVector(middles[id % GROUPS]!.map((value, i) => value + share * noise[i]!)))
    codes.add(id, units[id]!)
  }
  codes.seal()
  return { codes, units }
}

async function made(codes: CodeGallery, lists: number, build?: KernelBuild) {
  const maker = await openKMeansIndexBuilder(DIMENSION, build)
  const [sample] = codes.slices(12_000, Math.ceil(codes.size / 12_000))
  const centroids = maker.train(sample!, lists)
  const ids: number[] = []
  const assigned: number[] = []
  for (const slice of codes.slices(333)) {
    ids.push(...slice.ids)
    assigned.push(...maker.assign(slice))
  }
  return {
    index: { centroids, lists },
    assignment: { ids: Float64Array.from(ids), lists: Uint32Array.from(assigned) },
  }
}

describe('making an index', () => {
  it('gives the same index in both builds, and each time', async () => {
    const { codes } = await groups(2_000)
    const plain = await made(codes, 40, 'simd')
    expect(await made(codes, 40, 'relaxed')).toEqual(plain)
    expect(await made(codes, 40, 'simd')).toEqual(plain)
  })

  it('makes unit vectors of its centroids, even of equal rows and of more lists than there are kinds of rows', async () => {
    const codes = new CodeGallery(await openCodeMemory(), DIMENSION)
    const [a, b] = [unitVectors(DIMENSION, 'even', 1)(), unitVectors(DIMENSION, 'even', 2)()]
    for (let id = 0; id < 100; id++) codes.add(id, id % 2 ? a : b)
    codes.seal()
    const { index } = await made(codes, 10)
    for (let list = 0; list < 10; list++) {
      const centroid = index.centroids.subarray(list * DIMENSION, (list + 1) * DIMENSION)
      expect(Math.hypot(...centroid)).toBeCloseTo(1, 5)
    }
  })

  it('finds the closest of groups in the lists that it chooses', async () => {
    const { codes, units } = await groups(3_000)
    const { index, assignment } = await made(codes, 30)
    for (const _ of codes.arrange(index, assignment));
    expect(codes.counts()).toEqual({ linear: 0, preindex: 0, indexed: 3_000 })
    for (let id = 0; id < 200; id++) {
      const { candidates, withIndex } = codes.scan(units[id]!, { wanted: 5 })
      expect(withIndex).toBe(true)
      expect(candidates).toEqual(codes.scan(units[id]!, { wanted: 5, exact: true }).candidates)
    }
  })

  it('finds rows in the part of many lists that it chooses', async () => {
    const { codes, units } = await groups(120_000, 1)
    const { index, assignment } = await made(codes, 300)
    for (const _ of codes.arrange(index, assignment));
    for (let id = 0; id < 120_000; id += 599) {
      expect(codes.scan(units[id]!, { wanted: 3 }).candidates[0]!.id).toBe(id)
    }
  })

  it('puts rows that were not assigned into the list where they are looked for', async () => {
    const { codes, units } = await groups(1_000)
    const { index } = await made(codes, 20)
    for (const _ of codes.arrange(index, { ids: new Float64Array(0), lists: new Uint32Array(0) }));
    expect(codes.counts()).toEqual({ linear: 0, preindex: 0, indexed: 1_000 })
    for (let id = 0; id < 100; id++) {
      expect(codes.scan(units[id]!, { wanted: 1 }).candidates[0]!.id).toBe(id)
    }
  })

  it('keeps the hint at each row right while rows are removed and put into gaps', async () => {
    const { codes, units } = await groups(6_000)
    const { index, assignment } = await made(codes, 3)
    for (const _ of codes.arrange(index, assignment));
    const random = seededRandom(5)
    const left = new Set(units.keys())
    for (let i = 0; i < 2_000; i++) {
      const id = Math.floor(random() * units.length)
      left.delete(id)
      codes.remove(id)
    }
    for (const id of left) {
      const { candidates, withIndex } = codes.scan(units[id]!, { wanted: 3 })
      expect(withIndex).toBe(true)
      expect(candidates[0]!.id).toBe(id)
    }
  })

  it('samples every so many rows, evenly', async () => {
    const { codes } = await groups(1_000)
    const ids = [...codes.slices(7, 30)].flatMap(slice => [...slice.ids])
    expect(ids).toEqual(Array.from({ length: 34 }, (_, i) => i * 30))
  })

  it.each([
    { rows: 0, lists: 1 },
    { rows: 40, lists: 1 },
    { rows: 1_000, lists: 25 },
    { rows: 10_000, lists: 100 },
    { rows: 1_000_000, lists: 1_000 },
  ])('has $lists lists for $rows rows', ({ rows, lists }) => expect(listsFor(rows)).toBe(lists))
})
