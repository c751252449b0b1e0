/** Shared tests of vector stores with spaces: correct answers before, during and after an index build, and after a restart. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { VectorEntry, VectorStore } from '#core/vector-store/vector-store.ts'
import {
  closest,
  indexMade,
  knownEntries,
  knownEntry,
  knownVector,
} from '#test/unit/core/vector-store/known.ts'

const ROWS = 1_000
const EVERYTHING = { limit: ROWS * 2, minScore: -1 }

/** `open` opens the same data each time within a test, and new data in the next test. */
export function behavesInEverySpace(name: string, open: () => Promise<VectorStore>): void {
  describe(`${name} with spaces`, () => {
    let store: VectorStore
    let stored: VectorEntry[]

    beforeEach(async () => {
      store = await open()
      stored = knownEntries(0, ROWS)
      await store.add(stored)
    })
    afterEach(() => store.close())

    const search = (probe: Float32Array, limit: number, linearOnly = false) =>
      store.search('g', probe, { limit, minScore: -1, linearOnly })

    /** An index may miss candidates unless all are requested, but never returns a wrong score. */
    async function answersRightly(): Promise<void> {
      for (const seed of [-1, -2, 7]) {
        const probe = knownVector(seed)
        const all = closest(stored, probe, EVERYTHING.limit)
        expect((await search(probe, EVERYTHING.limit)).candidates).toEqual(all)
        const { candidates, withIndex } = await search(probe, 10)
        if (!withIndex) expect(candidates).toEqual(all.slice(0, 10))
        const scores = new Map(all.map(({ id, score }) => [id, score]))
        for (const { id, score } of candidates) expect(score).toBe(scores.get(id))
        expect(candidates[0]!.score).toBeGreaterThan(0.4)
      }
    }

    it('stays correct while an index is built and rows change', async () => {
      let state = await store.startIndex('g')
      expect(state.state).toBe('building')
      for (let i = 0; state.state === 'building'; i++) {
        expect(state.progress).toBeGreaterThanOrEqual(0)
        expect(state.progress).toBeLessThanOrEqual(1)
        await store.add([knownEntry(ROWS + i)])
        await store.remove([{ gallery: 'g', id: 3 * i }])
        stored = stored.filter(({ id }) => id !== 3 * i).concat(knownEntry(ROWS + i))
        await answersRightly()
        state = await store.indexState('g')
      }
      expect(state).toEqual({ state: 'ready', progress: 1 })
      await answersRightly()
      const { linear, preindex, indexed } = (await store.gallery('g'))!
      expect({ preindex, all: linear + preindex + indexed }).toEqual({ preindex: 0, all: stored.length })
    })

    it('moves all rows into the index, searches it, and keeps new rows beside it', async () => {
      await store.startIndex('g')
      expect(await indexMade(store)).toBe('ready')
      const made = (await store.gallery('g'))!
      expect(made).toMatchObject({
        linear: 0,
        preindex: 0,
        indexed: ROWS,
        indexLoaded: true,
        indexedDeleted: 0,
      })
      expect(made.indexFile).not.toBe('')
      expect(made.indexHandle).toBeGreaterThan(0)
      expect((await search(knownVector(7), 10)).withIndex).toBe(true)
      await store.add(knownEntries(ROWS, 50))
      const [{ contents } = {}] = await store.states()
      if (contents) expect(contents).toMatchObject({ indexed: ROWS, linear: 50, unindexed: 50, building: 0 })
      await store.remove(knownEntries(0, 7))
      stored = knownEntries(7, ROWS + 43)
      await answersRightly()
      expect(await store.gallery('g')).toMatchObject({ linear: 50, indexed: ROWS - 7, indexedDeleted: 7 })
      const spaces = (await store.list('g', ROWS - 2, 4)).vectors.map(({ id, space }) => [id - ROWS, space])
      expect(spaces).toEqual([
        [-2, 'indexed'],
        [-1, 'indexed'],
        [0, 'linear'],
        [1, 'linear'],
      ])
      const linear = await search(knownVector(7), 100, true)
      expect(linear).toMatchObject({ withIndex: false })
      expect(linear.candidates).toEqual(closest(knownEntries(ROWS, 50), knownVector(7), 100))
    })

    it('restores its spaces after a restart, and distinguishes a row that was added again', async () => {
      await store.startIndex('g')
      await indexMade(store)
      await store.remove(knownEntries(10, 5))
      await store.add(knownEntries(10, 2).map(again => ({ ...again, vector: knownVector(-again.id) })))
      await store.add(knownEntries(ROWS, 20))
      const before = (await store.gallery('g'))!
      expect(before).toMatchObject({ linear: 22, indexed: ROWS - 5, indexedDeleted: 5 })
      await store.close()
      store = await open()
      const { indexHandle, ...after } = (await store.gallery('g'))!
      expect(before).toMatchObject(after)
      expect(indexHandle).toBeGreaterThan(0)
      stored = [
        ...knownEntries(0, 10),
        ...knownEntries(10, 2).map(again => ({ ...again, vector: knownVector(-again.id) })),
        ...knownEntries(15, ROWS + 5),
      ]
      await answersRightly()
    })

    it('drops the index with the last row, also during its build', async () => {
      await store.startIndex('g')
      await store.remove(stored)
      expect(await store.gallery('g')).toBeUndefined()
      await store.add([{ gallery: 'g', id: 1, vector: Float32Array.of(1, 2) }])
      expect(await store.gallery('g')).toMatchObject({ linear: 1, indexed: 0, indexFile: undefined })
      expect((await store.search('g', Float32Array.of(1, 2), EVERYTHING)).candidates).toHaveLength(1)
    })
  })
}
