/** Requirements for every kind of index: one suite that each kind runs. */
import { expect, it } from 'vitest'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import type { IndexKind } from '#core/vector-store/index/vector-index.ts'
import { arrangeAll, clusteredGallery, trained } from './trained-gallery.ts'

/** With a leak of one kilobyte per index, the memory would grow. */
const OPENED_INDEXES = 20_000

const NO_ROWS = { ids: new Float64Array(0), lists: new Uint32Array(0) }

/** `lists` returns the number of lists to train for a number of rows. */
export function behavesAsAVectorIndex(kind: IndexKind, lists: (rows: number) => number): void {
  it('trains the same index in both kernel builds, each time', async () => {
    const { codes } = await clusteredGallery(kind, 2_000)
    const expected = await trained(kind, codes, lists(2_000), 'simd')
    expect(await trained(kind, codes, lists(2_000), 'relaxed')).toEqual(expected)
    expect(await trained(kind, codes, lists(2_000), 'simd')).toEqual(expected)
  })

  it('assigns each row to an existing list', async () => {
    const { codes } = await clusteredGallery(kind, 1_000)
    const { index, assignment } = await trained(kind, codes, lists(1_000))
    expect([...assignment.ids].sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, id) => id))
    expect(Math.max(...assignment.lists)).toBeLessThan(index.lists)
  })

  it('finds the same candidates as an exact scan, with the same scores', async () => {
    const { codes, units } = await clusteredGallery(kind, 3_000)
    arrangeAll(codes, await trained(kind, codes, lists(3_000)))
    expect(codes.counts()).toEqual({ linear: 0, preindex: 0, indexed: 3_000 })
    for (let id = 0; id < 200; id++) {
      const { candidates, withIndex } = codes.scan(units[id]!, { wanted: 5 })
      expect(withIndex).toBe(true)
      expect(candidates).toEqual(codes.scan(units[id]!, { wanted: 5, exact: true }).candidates)
    }
  })

  it('returns as many candidates as are wanted', async () => {
    const { codes, units } = await clusteredGallery(kind, 500)
    arrangeAll(codes, await trained(kind, codes, lists(500)))
    for (const wanted of [1, 100, 250, 400, 500, 600]) {
      expect(codes.scan(units[0]!, { wanted }).candidates).toHaveLength(Math.min(wanted, 500))
    }
  })

  it('finds rows that had no list when they were moved into the index', async () => {
    const { codes, units } = await clusteredGallery(kind, 1_000)
    const { index } = await trained(kind, codes, lists(1_000))
    for (const _ of codes.arrange(index, NO_ROWS));
    expect(codes.counts()).toEqual({ linear: 0, preindex: 0, indexed: 1_000 })
    for (let id = 0; id < 100; id++) {
      expect(codes.scan(units[id]!, { wanted: 1 }).candidates[0]!.id).toBe(id)
    }
  })

  it('finds the remaining rows after removals', async () => {
    const { codes, units } = await clusteredGallery(kind, 6_000)
    arrangeAll(codes, await trained(kind, codes, lists(180)))
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

  it('never returns a removed row, nor a row of a released index', async () => {
    const { codes, units } = await clusteredGallery(kind, 1_000)
    arrangeAll(codes, await trained(kind, codes, lists(1_000)))
    for (let id = 0; id < 1_000; id += 2) codes.remove(id)
    const found = codes.scan(units[0]!, { wanted: 1_000 }).candidates.map(({ id }) => id)
    expect(found.filter(id => id % 2 === 0)).toEqual([])
    expect(found).toHaveLength(500)
    codes.forgetIndex()
    expect(codes.scan(units[1]!, { wanted: 1 })).toMatchObject({ withIndex: false, candidates: [{ id: 1 }] })
  })

  it('releases all its memory', async () => {
    const { codes, memory } = await clusteredGallery(kind, 180)
    const { index } = await trained(kind, codes, lists(180))
    const { size } = memory
    for (let opened = 0; opened < OPENED_INDEXES; opened++) {
      codes.loadIndex(index, [])
      codes.forgetIndex()
    }
    expect(memory.size).toBe(size)
  })
}
