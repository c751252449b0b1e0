/** The store of several shards: the shared suite, merged answers, and shards that are unavailable or full. */
import { mkdir } from 'node:fs/promises'
import fc from 'fast-check'
import { openVectorStore } from '#core/vector-store/open.ts'
import { localLayout } from '#core/vector-store/sharding/layout.ts'
import { StoreUnavailable, VectorRefused } from '#core/vector-store/vector-store.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'
import { SHARD_AWAY } from '#test/unit/core/vector-store/known.ts'
import { behavesAsAVectorStore } from '#test/unit/core/vector-store/vector-store.suite.ts'
import { allKeys, EVERYTHING, FIRST, one, openThree, reject, SECOND, THIRD, vector } from '../three-shards.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryPath('vectors')
  await mkdir(folder)
})

behavesAsAVectorStore('openVectorStore with two shards', () =>
  openVectorStore(folder, { shards: localLayout(2) }),
)

describe('shardedStore', () => {
  it('names the unavailable shard, and the contents of the others', async () => {
    const { store } = await openThree(folder, { 1: { states: reject } })
    await store.add([one(FIRST), one(THIRD)])
    expect(await store.states()).toMatchObject([
      { isAvailable: true, contents: { linear: 1 } },
      { isAvailable: false },
      { isAvailable: true, contents: { linear: 1 } },
    ])
  })

  it('pages through a gallery by rising id, for any ids and page sizes', async () => {
    const { store } = await openThree(folder)
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.maxSafeNat(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (ids, count) => {
          const gallery = `round${round++}`
          await store.add(ids.map(id => one(id, gallery)))
          const listed: number[] = []
          for (let from: number | undefined = 0; from !== undefined; ) {
            const page = await store.list(gallery, from, count)
            expect(page.vectors.length).toBeLessThanOrEqual(count)
            listed.push(...page.vectors.map(({ id }) => id))
            from = page.next
          }
          expect(listed).toEqual(ids.toSorted((a, b) => a - b))
        },
      ),
      { numRuns: 15 },
    )
  })

  it.each([
    { failure: new StoreUnavailable('away'), told: SHARD_AWAY },
    { failure: new StoreUnavailable('full'), told: { name: 'StoreUnavailable', why: 'full' } },
    { failure: new VectorRefused('duplicate'), told: { name: 'VectorRefused', why: 'duplicate' } },
  ])('keeps nothing of an addition that one shard refuses: $failure.message', async ({ failure, told }) => {
    const { store } = await openThree(folder, { 2: { add: () => Promise.reject(failure) } })
    await expect(store.add([one(FIRST), one(SECOND), one(THIRD)])).rejects.toMatchObject(told)
    expect(await allKeys(store).catch(() => [])).toEqual([])
    await store.add([one(FIRST), one(SECOND)])
  })

  it('keeps one dimension per gallery during concurrent additions to different shards', async () => {
    const { store } = await openThree(folder)
    const outcomes = await Promise.allSettled([
      store.add([one(FIRST, 'a', [1, 0])]),
      store.add([one(SECOND, 'a', [1, 0, 0])]),
      store.add([one(THIRD, 'a', [1, 0, 0, 0])]),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(store.add([one(7, 'b', [1]), one(8, 'b', [1, 0])])).rejects.toMatchObject({
      why: 'dimension',
    })
  })

  it('refuses an addition to a gallery whose dimension only an unavailable shard may know', async () => {
    const { store } = await openThree(folder, { 2: { list: reject } })
    await expect(store.add([one(FIRST)])).rejects.toMatchObject(SHARD_AWAY)
  })

  it('accepts an addition to a gallery that an available shard knows', async () => {
    const { store } = await openThree(folder, { 2: { search: reject } })
    await store.add([one(FIRST)])
    await store.search('a', vector(1, 0), EVERYTHING)
    await store.add([one(SECOND)])
    await expect(store.add([one(THIRD)])).rejects.toMatchObject(SHARD_AWAY)
  })

  it('does not count a shard that alone refuses the dimension of a probe', async () => {
    const { store } = await openThree(folder, {
      1: { search: () => Promise.reject(new VectorRefused('dimension')) },
    })
    await store.add([one(FIRST)])
    const found = await store.search('a', vector(1, 0), EVERYTHING)
    expect(found).toMatchObject({ candidates: [{ id: FIRST }], live: 2, total: 3 })
  })
})
