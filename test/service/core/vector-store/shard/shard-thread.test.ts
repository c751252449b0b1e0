import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import { StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import {
  closeWithTest,
  DIMENSION,
  knownEntries,
  knownEntry,
  knownVector,
  SHARD_AWAY,
} from '#test/unit/core/vector-store/known.ts'

/** Listing all rows at once needs more memory than the thread has. */
const ROWS = 40_000

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const opened = (settings: Parameters<typeof openShardThread>[1] = {}) =>
  closeWithTest(openShardThread(folder, settings))

describe('openShardThread', () => {
  it('does not detach the vectors that it gets', async () => {
    const store = await opened()
    const shared = new Float32Array([...knownVector(1), ...knownVector(2)])
    const vector = shared.subarray(DIMENSION)
    await store.add([{ gallery: 'g', id: 2, vector }])
    await store.search('g', vector, { limit: 1, minScore: 0 })
    expect(vector).toEqual(knownVector(2))
    expect(await store.get({ gallery: 'g', id: 2 })).toEqual(knownVector(2))
  })

  it('answers calls from before its closing, and refuses later ones', async () => {
    const store = await opened()
    const additions = times(50, id => store.add([knownEntry(id)]))
    await store.close()
    await Promise.all(additions)
    await expect(store.get({ gallery: 'g', id: 1 })).rejects.toBeInstanceOf(StoreUnavailable)
    const again = await opened()
    expect(await again.gallery('g')).toMatchObject({ linear: 50 })
  })

  it('is unavailable after its thread runs out of memory, and restarts with all acknowledged rows', {
    tags: 'long',
  }, async () => {
    const store = await opened({ heapMegabytes: 16 })
    for (let from = 0; from < ROWS; from += 500) await store.add(knownEntries(from, 500))
    const most = times(2, () => store.list('g', 0, ROWS))
    const outcomes = await Promise.allSettled(most)
    const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? outcome.reason : []))
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toMatchObject(SHARD_AWAY)
    await expect(store.reach([1])).rejects.toMatchObject(SHARD_AWAY)
    await expect(store.add([knownEntry(ROWS)])).rejects.toMatchObject(SHARD_AWAY)
    expect(await store.search('g', knownVector(1), { limit: 1, minScore: 0 })).toEqual({
      candidates: [],
      withIndex: false,
      live: 0,
      total: 1,
    })
    await expect.poll(() => store.reach([1]).then(() => 'back', String), { timeout: 60_000 }).toBe('back')
    expect(await store.gallery('g')).toMatchObject({ linear: ROWS })
    await store.add([knownEntry(ROWS)])
  })
})
