/** The inverted file, the index of galleries: trained lists, the candidates of an exact scan, and no trace of what was removed. */
import { describe, expect, it } from 'vitest'
import { openCodeMemory } from '#core/vector-store/codes/int8-codes.ts'
import { listsFor } from '#core/vector-store/index/k-means.ts'
import { CodeGallery } from '#core/vector-store/shard/code-gallery.ts'
import { unitVectors } from '#test/unit/wasm/kernels/oracle.ts'
import { arrangeAll, clusteredGallery, DIMENSION, trained } from './trained-gallery.ts'

/** With a leak of four kilobytes per index, the memory would grow. */
const OPENED_INDEXES = 5_000

const listsOf = (rows: number): number => Math.ceil(rows / 60)

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

describe('openKMeansTrainer', { tags: 'long' }, () => {
  it('trains unit vectors from rows with fewer distinct values than lists', async () => {
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

  it('finds each row in a fraction of its lists', async () => {
    const { codes, units } = await clusteredGallery(40_000, 1)
    arrangeAll(codes, await trained(codes, 200))
    for (let id = 0; id < 40_000; id += 599) {
      expect(codes.scan(units[id]!, { wanted: 3 }).candidates[0]!.id).toBe(id)
    }
  })

  it.each([
    { rows: 0, lists: 1 },
    { rows: 40, lists: 1 },
    { rows: 1_000, lists: 25 },
    { rows: 10_000, lists: 100 },
    { rows: 1_000_000, lists: 1_000 },
  ])('uses $lists lists for $rows rows', ({ rows, lists }) => expect(listsFor(rows)).toBe(lists))
})

it('slices of a gallery sample rows at even distances', async () => {
  const { codes } = await clusteredGallery(1_000)
  const ids = [...codes.slices(7, 30)].flatMap(slice => [...slice.ids])
  expect(ids).toEqual(Array.from({ length: 34 }, (_, i) => i * 30))
})
