/** Shared tests of vector stores with spaces: correct answers before, during and after an index build, and after a restart. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import type { Candidate, VectorEntry, VectorStore } from '#core/vector-store/vector-store.ts'
import { indexMade } from '#test/unit/core/vector-store/known.ts'

const ROWS = 1_000
const DIMENSION = 24
const EVERYTHING = { limit: ROWS * 2, minScore: -1 }

/** Random numbers in -1..1 from a seed. */
function anyVector(seed: number): Float32Array {
  let state = seed * 2_654_435_761 + 1
  return Float32Array.from({ length: DIMENSION }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state >>> 8) / 2 ** 23 - 1
  })
}

const entry = (id: number): VectorEntry => ({ gallery: 'g', id, vector: anyVector(id) })
const entries = (from: number, count: number) => Array.from({ length: count }, (_, i) => entry(from + i))

/** The result of an exhaustive comparison. */
function oracle(stored: readonly VectorEntry[], probe: Float32Array, limit: number): Candidate[] {
  const unit = unitVector(probe)
  return stored
    .map(({ id, vector }) => ({ id, score: Math.max(-1, Math.min(1, dot(unit, unitVector(vector), 0))) }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
}

/** `open` opens the same data each time within a test, and new data in the next test. */
export function behavesInEverySpace(name: string, open: () => Promise<VectorStore>): void {
  describe(`${name} with spaces`, () => {
    let store: VectorStore
    let stored: VectorEntry[]

    beforeEach(async () => {
      store = await open()
      stored = entries(0, ROWS)
      await store.add(stored)
    })
    afterEach(() => store.close())

    const search = (probe: Float32Array, limit: number, linearOnly = false) =>
      store.search('g', probe, { limit, minScore: -1, linearOnly })

    /** An index may miss candidates unless all are requested, but never returns a wrong score. */
    async function answersRightly(): Promise<void> {
      for (const seed of [-1, -2, 7]) {
        const probe = anyVector(seed)
        const all = oracle(stored, probe, EVERYTHING.limit)
        expect((await search(probe, EVERYTHING.limit)).candidates).toEqual(all)
        const { candidates, withIndex } = await search(probe, 10)
        if (!withIndex) expect(candidates).toEqual(all.slice(0, 10))
        const scores = new Map(all.map(({ id, score }) => [id, score]))
        for (const { id, score } of candidates) expect(score).toBe(scores.get(id))
        expect(candidates[0]!.score).toBeGreaterThan(0.4)
      }
    }

    it('returns the exhaustive result without an index', async () => {
      await answersRightly()
      expect((await search(anyVector(-1), 10)).withIndex).toBe(false)
    })

    it('stays correct while an index is built and rows change', async () => {
      let state = await store.startIndex('g')
      expect(state.state).toBe('building')
      for (let i = 0; state.state === 'building'; i++) {
        expect(state.progress).toBeGreaterThanOrEqual(0)
        expect(state.progress).toBeLessThanOrEqual(1)
        await store.add([entry(ROWS + i)])
        await store.remove([{ gallery: 'g', id: 3 * i }])
        stored = stored.filter(({ id }) => id !== 3 * i).concat(entry(ROWS + i))
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
      expect((await search(anyVector(7), 10)).withIndex).toBe(true)
      await store.add(entries(ROWS, 50))
      const [{ contents } = {}] = await store.states()
      if (contents) expect(contents).toMatchObject({ indexed: ROWS, linear: 50, unindexed: 50, building: 0 })
      await store.remove(entries(0, 7))
      stored = entries(7, ROWS + 43)
      await answersRightly()
      expect(await store.gallery('g')).toMatchObject({ linear: 50, indexed: ROWS - 7, indexedDeleted: 7 })
      const spaces = (await store.list('g', ROWS - 2, 4)).vectors.map(({ id, space }) => [id - ROWS, space])
      expect(spaces).toEqual([
        [-2, 'indexed'],
        [-1, 'indexed'],
        [0, 'linear'],
        [1, 'linear'],
      ])
      const linear = await search(anyVector(7), 100, true)
      expect(linear).toMatchObject({ withIndex: false })
      expect(linear.candidates).toEqual(oracle(entries(ROWS, 50), anyVector(7), 100))
    })

    it('restores its spaces after a restart, and distinguishes a row that was added again', async () => {
      await store.startIndex('g')
      await indexMade(store)
      await store.remove(entries(10, 5))
      await store.add(entries(10, 2).map(again => ({ ...again, vector: anyVector(-again.id) })))
      await store.add(entries(ROWS, 20))
      const before = (await store.gallery('g'))!
      expect(before).toMatchObject({ linear: 22, indexed: ROWS - 5, indexedDeleted: 5 })
      await store.close()
      store = await open()
      const { indexHandle, ...after } = (await store.gallery('g'))!
      expect(before).toMatchObject(after)
      expect(indexHandle).toBeGreaterThan(0)
      stored = [
        ...entries(0, 10),
        ...entries(10, 2).map(again => ({ ...again, vector: anyVector(-again.id) })),
        ...entries(15, ROWS + 5),
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
