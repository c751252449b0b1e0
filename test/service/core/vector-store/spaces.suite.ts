/** What every vector store must do with spaces: right answers before, while and after an index is made, and over a restart. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dot, unitVector } from '../../../../core/vector-store/unit-vector.ts'
import type { Candidate, VectorEntry, VectorStore } from '../../../../core/vector-store/vector-store.ts'
import { indexMade } from '../../../unit/core/vector-store/known.ts'

const ROWS = 3_000
const DIMENSION = 24
const EVERYTHING = { limit: ROWS * 2, minScore: -1 }

/** The same numbers for the same seed: -1..1. */
function anyVector(seed: number): Float32Array {
  let state = seed * 2_654_435_761 + 1
  return Float32Array.from({ length: DIMENSION }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state >>> 8) / 2 ** 23 - 1
  })
}

const entry = (id: number): VectorEntry => ({ gallery: 'g', id, vector: anyVector(id) })
const entries = (from: number, count: number) => Array.from({ length: count }, (_, i) => entry(from + i))

/** Everything, compared one by one. */
function oracle(stored: readonly VectorEntry[], probe: Float32Array, limit: number): Candidate[] {
  const unit = unitVector(probe)
  return stored
    .map(({ id, vector }) => ({ id, score: Math.max(-1, Math.min(1, dot(unit, unitVector(vector), 0))) }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
}

/** `open` gives the store over the same data each time within one test, and over fresh data in the next. */
export function behavesInEverySpace(name: string, open: () => Promise<VectorStore>): void {
  describe(`${name}, whatever the space`, () => {
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

    /** With an index it is allowed to miss some, but not when all are asked for, and never to say what is not so. */
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

    it('finds all, in the order of plain comparison, without an index', async () => {
      await answersRightly()
      expect((await search(anyVector(-1), 10)).withIndex).toBe(false)
    })

    it('goes on finding all while an index is made, while rows come and go', async () => {
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

    it('puts all into the index, asks it, and takes what is new beside it', async () => {
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

    it('has the same spaces after a restart, and knows a row that came again from the one that was indexed', async () => {
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

    it('makes another index of everything, and gives it another name', async () => {
      await store.startIndex('g')
      await indexMade(store)
      const first = (await store.gallery('g'))!
      await store.add(entries(ROWS, 100))
      await store.startIndex('g')
      expect(await indexMade(store)).toBe('ready')
      const second = (await store.gallery('g'))!
      expect(second).toMatchObject({ linear: 0, preindex: 0, indexed: ROWS + 100 })
      expect(second.indexFile).not.toBe(first.indexFile)
      expect(second.indexHandle).not.toBe(first.indexHandle)
    })

    it('forgets the index with the last row, also while it is being made', async () => {
      await store.startIndex('g')
      await store.remove(stored)
      expect(await store.gallery('g')).toBeUndefined()
      await store.add([{ gallery: 'g', id: 1, vector: Float32Array.of(1, 2) }])
      expect(await store.gallery('g')).toMatchObject({ linear: 1, indexed: 0, indexFile: undefined })
      expect((await store.search('g', Float32Array.of(1, 2), EVERYTHING)).candidates).toHaveLength(1)
    })
  })
}
