/** The shared suite of all vector stores. */

import fc from 'fast-check'
import type { VectorKey, VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'

const EVERYTHING = { limit: 1_000, minScore: -1 }

const vector = (...values: number[]) => Float32Array.from(values)

const entry = (gallery: string, id: number, ...values: number[]) => ({
  gallery,
  id,
  vector: vector(...values),
})

async function keysOf(store: VectorStore) {
  const keys: VectorKey[] = []
  for await (const key of store.keys()) keys.push(key)
  return keys.sort((a, b) => a.gallery.localeCompare(b.gallery) || a.id - b.id)
}

/** `open` returns a store over the same data within one test, and over new data in the next test. */
export function behavesAsAVectorStore(name: string, open: () => Promise<VectorStore>): void {
  describe(`VectorStore of ${name}`, () => {
    let store: VectorStore

    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const ids = async (gallery: string, probe: Float32Array, bounds = EVERYTHING) =>
      (await store.search(gallery, probe, bounds)).candidates.map(candidate => candidate.id)

    it('returns candidates with their cosines in descending order, within limit and minScore', async () => {
      await store.add([entry('a', 1, 0, 2), entry('a', 2, 3, 0), entry('a', 3, -1, 0), entry('a', 4, 5, 5)])
      const found = (await store.search('a', vector(10, 0), EVERYTHING)).candidates
      expect(found.map(candidate => candidate.id)).toEqual([2, 4, 1, 3])
      expect(found.map(candidate => candidate.score)).toEqual([1, expect.closeTo(Math.SQRT1_2, 6), 0, -1])
      expect(await ids('a', vector(1, 0), { limit: 1, minScore: -1 })).toEqual([2])
      expect(await ids('a', vector(1, 0), { limit: 9, minScore: 0.5 })).toEqual([2, 4])
      expect(await ids('a', vector(1, 0), { limit: 9, minScore: 1.01 })).toEqual([])
    })

    it('returns an added vector unchanged until it is removed', async () => {
      const added = vector(0.1, -2, 3e-7)
      await store.add([{ gallery: 'a', id: 1, vector: added }, entry('b', 1, 1, 1, 1)])
      expect(await store.get({ gallery: 'a', id: 1 })).toEqual(added)
      expect(await store.get({ gallery: 'a', id: 2 })).toBeUndefined()
      expect(await store.get({ gallery: 'c', id: 1 })).toBeUndefined()
      await store.remove([{ gallery: 'a', id: 1 }])
      expect(await store.get({ gallery: 'a', id: 1 })).toBeUndefined()
    })

    it('orders equal scores by rising id, for any order of insertion and after removals', async () => {
      const entries = [9, 3, 7, 1, 5].map(id => ({ gallery: 'a', id, vector: vector(1, 1) }))
      await store.add(entries)
      await store.remove([{ gallery: 'a', id: 7 }])
      expect(await ids('a', vector(1, 1))).toEqual([1, 3, 5, 9])
      expect(await ids('a', vector(1, 1), { limit: 2, minScore: -1 })).toEqual([1, 3])
    })

    it('returns the same candidates and scores after a restart, for ids up to 2^53 - 1', async () => {
      const entries = times(50, i => ({
        gallery: `g${i % 3}`,
        id: i % 2 === 0 ? i : Number.MAX_SAFE_INTEGER - i,
        vector: vector(Math.sin(i), Math.cos(3 * i), Math.sin(7 * i), 0.1, i / 50),
      }))
      await store.add(entries)
      await store.remove(entries.filter((_, i) => i % 5 === 0))
      const probe = vector(0.3, -0.2, 0.5, 0.7, 0.1)
      const before = await store.search('g1', probe, EVERYTHING)
      await store.close()
      store = await open()
      expect(await store.search('g1', probe, EVERYTHING)).toEqual(before)
      const left = entries.filter(({ gallery }, i) => gallery === 'g1' && i % 5 !== 0).map(({ id }) => id)
      expect(before.candidates.map(({ id }) => id).sort()).toEqual(left.sort())
    })

    it('returns each removed key once, for repeated and unknown keys too, and iterates the others', async () => {
      await store.add([entry('a', 1, 1, 0), entry('a', 2, 1, 0), entry('b', 1, 1)])
      const keys = [1, 1, 3].map(id => ({ gallery: 'a', id }))
      expect(await store.remove([...keys, { gallery: 'b', id: 2 }])).toEqual([{ gallery: 'a', id: 1 }])
      expect(await store.remove(keys)).toEqual([])
      expect(await keysOf(store)).toEqual([
        { gallery: 'a', id: 2 },
        { gallery: 'b', id: 1 },
      ])
    })

    it('lists a gallery in pages by rising id from any id', async () => {
      const entries = [9, 2, 5, 7, 4].map(id => ({ gallery: 'a', id, vector: vector(id, 1) }))
      await store.add([...entries, entry('b', 3, 1)])
      const listed = (id: number) => ({ id, space: 'linear', vector: vector(id, 1) })
      expect(await store.list('a', 0, 2)).toEqual({ vectors: [2, 4].map(listed), next: 5 })
      expect(await store.list('a', 5, 2)).toEqual({ vectors: [5, 7].map(listed), next: 9 })
      expect(await store.list('a', 6, 2)).toEqual({ vectors: [7, 9].map(listed), next: undefined })
      expect(await store.list('a', 10, 2)).toEqual({ vectors: [], next: undefined })
      expect(await store.list('nowhere', 0, 2)).toEqual({ vectors: [], next: undefined })
    })

    it('counts vectors per gallery, sorted by name, without empty galleries', async () => {
      await store.add([entry('b', 1, 1), entry('a', 1, 1), entry('a', 2, 1), entry('c', 1, 1)])
      await store.remove([{ gallery: 'c', id: 1 }])
      expect(await store.galleries()).toMatchObject([
        { gallery: 'a', linear: 2, preindex: 0, indexed: 0, indexLoaded: false, indexHandle: 0 },
        { gallery: 'b', linear: 1, preindex: 0, indexed: 0, indexLoaded: false, indexHandle: 0 },
      ])
      expect(await store.gallery('a')).toEqual((await store.galleries())[0])
      expect(await store.gallery('c')).toBeUndefined()
      expect(await store.indexState('c')).toEqual({ state: 'none', progress: 1 })
    })

    it('reaches its shards, and returns their states, with totals of shards in this process', async () => {
      for (const ids of [undefined, [1, 2, 2 ** 40], []]) await store.reach(ids)
      await store.add([entry('a', 1, 1), entry('a', 2, 1), entry('b', 3, 1)])
      await store.remove([{ gallery: 'a', id: 2 }])
      const states = await store.states()
      expect(states.every(({ isAvailable }) => isAvailable)).toBe(true)
      const contents = states.flatMap(state => state.contents ?? [])
      if (contents.length === 0) return
      const total = (of: keyof (typeof contents)[number]) =>
        contents.reduce((sum, shard) => sum + shard[of], 0)
      expect([total('linear'), total('preindex'), total('indexed'), total('building')]).toEqual([2, 0, 0, 0])
      expect(total('unindexed')).toBe(0)
      expect(total('committed')).toBe(4)
      expect(total('commits')).toBeGreaterThanOrEqual(2)
    })

    it('answers concurrent calls separately and consistently', async () => {
      const calls = [
        store.add([entry('a', 1, 1, 0)]),
        store.add([entry('a', 1, 0, 1)]),
        store.add([entry('a', 2, 1, 0, 0)]),
        store.add([entry('a', 3, 0, 1), entry('a', 4, 1, 1)]),
        store.remove([{ gallery: 'a', id: 3 }]),
        store.add([entry('a', 3, 1, 1)]),
        store.remove([{ gallery: 'a', id: 5 }]),
        store.add([entry('a', 5, 2, 1)]),
      ]
      const outcomes = (await Promise.allSettled(calls)).map(outcome =>
        outcome.status === 'rejected' ? outcome.reason.why : outcome.value,
      )
      // Either of two conflicting calls may be refused. The stored keys must match the answers.
      expect(outcomes[0] === 'duplicate').not.toBe(outcomes[1] === 'duplicate')
      expect(outcomes.slice(2, 4)).toEqual(['dimension', undefined])
      expect(outcomes[7]).toBeUndefined()
      const kept = [1, 3, 4, 5].filter(id => id !== 3 || outcomes[5] === undefined)
      const removed = (outcomes[4] as VectorKey[]).length > 0
      expect(outcomes[5] === undefined).toBe(removed)
      expect(await keysOf(store)).toEqual((removed ? kept : [1, 3, 4, 5]).map(id => ({ gallery: 'a', id })))
    })

    it('replaces vectors, and searches during the call find the earlier or the new ones', async () => {
      const entries = [1, 2, 3].map(id => ({ gallery: 'a', id, vector: vector(id, 1) }))
      await store.add(entries.slice(0, 2))
      let isReplaced = false
      const replaced = store
        .add(
          entries.map(({ id }) => entry('a', id, -1, id)),
          { replaces: true },
        )
        .then(() => {
          isReplaced = true
        })
      while (!isReplaced) expect(await ids('a', vector(1, 1))).toEqual(expect.arrayContaining([1, 2]))
      await replaced
      const dimension = store.add([entry('a', 1, 1)], { replaces: true })
      await expect(dimension).rejects.toMatchObject({ why: 'dimension' })
      await store.close()
      store = await open()
      for (const { id } of entries) expect(await store.get({ gallery: 'a', id })).toEqual(vector(-1, id))
      expect(await ids('a', vector(-1, 0))).toEqual([1, 2, 3])
      expect(await store.gallery('a')).toMatchObject({ linear: 3 })
    })

    it('refuses vectors that are not valid, and stores nothing of these calls', async () => {
      await store.add([entry('a', 1, 1, 0)])
      const refused: [why: string, id: number, values: number[]][] = [
        ['duplicate', 1, [0, 1]],
        ['duplicate', 2, [0, 1]],
        ['dimension', 3, [1, 0, 0]],
        ['dimension', 3, []],
        ['malformed', 3, [0, 0]],
        ['malformed', 3, [Number.NaN, 1]],
        ['malformed', 3, [Number.POSITIVE_INFINITY, 1]],
      ]
      for (const [why, id, values] of refused) {
        const bad = [entry('a', 2, 1, 1), entry('a', id, ...values)]
        await expect(store.add(bad), why).rejects.toMatchObject({ name: 'VectorRefused', why })
      }
      await store.close()
      store = await open()
      expect(await keysOf(store)).toEqual([{ gallery: 'a', id: 1 }])
      for (const [why, probe] of [
        ['malformed', vector(0, 0)],
        ['malformed', vector(Number.NaN, 0)],
        ['dimension', vector(1, 0, 0)],
      ] as const)
        await expect(store.search('a', probe, EVERYTHING)).rejects.toMatchObject({
          name: 'VectorRefused',
          why,
        })
      await store.remove([{ gallery: 'a', id: 1 }])
      await store.add([entry('a', 1, 1, 0, 0)])
      expect(await ids('a', vector(1, 0, 0)), 'an empty gallery accepts another dimension').toEqual([1])
    })

    it('agrees with an exact sort after any additions, replacements and removals', async () => {
      const coordinate = fc.integer({ min: -3, max: 3 })
      const anyVector = fc.tuple(coordinate, coordinate, coordinate).filter(values => values.some(Boolean))
      let round = 0
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(
            fc.record({
              id: fc.nat(99),
              earlier: fc.option(anyVector),
              values: anyVector,
              removed: fc.boolean(),
            }),
            {
              selector: entry => entry.id,
              maxLength: 60,
            },
          ),
          anyVector,
          fc.integer({ min: 1, max: 12 }),
          async (entries, probe, limit) => {
            const gallery = `round${round++}`
            await store.add(
              entries.flatMap(({ id, earlier }) => (earlier ? [entry(gallery, id, ...earlier)] : [])),
            )
            await store.add(
              entries.map(({ id, values }) => entry(gallery, id, ...values)),
              { replaces: true },
            )
            await store.remove(entries.filter(entry => entry.removed).map(({ id }) => ({ gallery, id })))
            const cosine = (values: number[]) =>
              values.reduce((sum, value, i) => sum + value * probe[i]!, 0) /
              (Math.hypot(...values) * Math.hypot(...probe))
            const expected = entries
              .filter(entry => !entry.removed)
              .map(({ id, values }) => ({ id, score: cosine(values) }))
              .sort((a, b) => b.score - a.score)
              .slice(0, limit)
            const found = (await store.search(gallery, vector(...probe), { limit, minScore: -1 })).candidates
            expect(found).toHaveLength(expected.length)
            for (const [i, candidate] of found.entries()) {
              expect(candidate.score).toBeCloseTo(expected[i]!.score, 6)
            }
          },
        ),
        { numRuns: 15 },
      )
    })
  })
}
