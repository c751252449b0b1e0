/** Health of shards: detection of outages, short waits, and recovery. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { SHARD_AWAY } from '#test/unit/core/vector-store/known.ts'
import {
  allKeys,
  type Change,
  EVERYTHING,
  FIRST,
  LAYOUT,
  one,
  openThree,
  reject,
  SECOND,
  THIRD,
  vector,
} from '../three-shards.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const never = () => new Promise<never>(() => {})

/** Shorter than the recovery of a shard. */
const IMPATIENT_MS = 1

/** The longest timer. */
const FOREVER_MS = 2 ** 31 - 1

describe('a shard that does not answer', () => {
  it('delays one search, and is skipped until it recovers', { tags: 'long' }, async () => {
    const search = vi.fn(never)
    const { store, news } = await openThree(folder, { 1: { search } }, IMPATIENT_MS)
    await store.add([one(FIRST), one(SECOND), one(THIRD)])
    const partial = {
      live: 2,
      total: 3,
      candidates: [FIRST, THIRD].sort((a, b) => a - b).map(id => ({ id, score: 1 })),
    }
    expect(await store.search('a', vector(1, 0), EVERYTHING)).toMatchObject(partial)
    expect(await store.search('a', vector(1, 0), EVERYTHING)).toMatchObject(partial)
    expect(search).toHaveBeenCalledTimes(1)
    await expect(store.get(one(SECOND))).rejects.toMatchObject(SHARD_AWAY)
    await expect(store.reach([SECOND])).rejects.toMatchObject(SHARD_AWAY)
    await expect(store.add([one(FIRST, 'b'), one(SECOND, 'b')])).rejects.toMatchObject(SHARD_AWAY)
    await expect(store.remove([one(FIRST), one(SECOND)])).rejects.toMatchObject(SHARD_AWAY)
    await expect(store.list('a', 0, 9)).rejects.toMatchObject(SHARD_AWAY)
    await expect(store.galleries()).rejects.toMatchObject(SHARD_AWAY)
    await expect(allKeys(store)).rejects.toMatchObject(SHARD_AWAY)
    expect(await store.get(one(FIRST))).toEqual(vector(1, 0))
    await vi.waitFor(() => expect(news).toHaveLength(2), 10_000)
    expect(news).toEqual([
      `shard unavailable ${LAYOUT[1]!.cells} StoreUnavailable`,
      `shard available ${LAYOUT[1]!.cells}`,
    ])
    expect(await store.get(one(SECOND))).toEqual(vector(1, 0))
  })

  it('is detected by the health check without other calls', async () => {
    const { news } = await openThree(folder, { 0: { gallery: reject } })
    await vi.waitFor(
      () => expect(news).toEqual([`shard unavailable ${LAYOUT[0]!.cells} StoreUnavailable`]),
      10_000,
    )
  })

  it('stays available when it reports a full disk', async () => {
    const { store, news } = await openThree(folder, {
      0: { add: () => Promise.reject(new StoreUnavailable('full')) },
    })
    await expect(store.add([one(FIRST)])).rejects.toMatchObject({ why: 'full' })
    expect(await store.search('a', vector(1, 0), EVERYTHING)).toMatchObject({ live: 3, total: 3 })
    expect(news).toEqual([])
  })
})

describe('a shard that has just failed', () => {
  /** The state of each promise after all other tasks had a turn. */
  const states = async (...asked: Promise<void>[]) => {
    const turn = nextTurn('waits')
    return Promise.all(
      asked.map(one =>
        Promise.race([
          one.then(
            () => 'reached',
            (error: Error) => error.name,
          ),
          turn,
        ]),
      ),
    )
  }
  /** A store whose second shard is unavailable until `comeBack`. */
  async function openWithout(patienceMs?: number) {
    const changes: Change = { search: reject, gallery: reject }
    const opened = await openThree(folder, { 1: changes }, patienceMs)
    await opened.store.search('a', vector(1, 0), EVERYTHING)
    const comeBack = () => {
      delete changes.gallery
    }
    return { ...opened, comeBack }
  }

  it('delays only calls of reach that need it', async () => {
    const { store, comeBack } = await openWithout()
    const [one, all] = [store.reach([FIRST, SECOND]), store.reach()]
    expect(await states(one, all, store.reach([FIRST, THIRD]))).toEqual(['waits', 'waits', 'reached'])
    await expect(store.get({ gallery: 'a', id: SECOND })).rejects.toMatchObject(SHARD_AWAY)
    comeBack()
    await Promise.all([one, all])
    expect(await states(store.reach([SECOND]), store.reach())).toEqual(['reached', 'reached'])
  })

  it('delays also the call of reach that detects the failure', async () => {
    const changes: Change = { reach: reject }
    const { store, news } = await openThree(folder, { 1: changes })
    const reaching = store.reach()
    expect(await states(reaching)).toEqual(['waits'])
    delete changes.reach
    await reaching
    expect(news).toEqual([
      `shard unavailable ${LAYOUT[1]!.cells} StoreUnavailable`,
      `shard available ${LAYOUT[1]!.cells}`,
    ])
  })

  it('delays calls for at most the configured time, and later calls not at all', async () => {
    const { store, comeBack } = await openWithout(50)
    await expect(store.reach([SECOND])).rejects.toMatchObject(SHARD_AWAY)
    expect(await states(store.reach([SECOND]), store.reach())).toEqual([
      'StoreUnavailable',
      'StoreUnavailable',
    ])
    comeBack()
    await vi.waitFor(() => store.reach([SECOND]), 10_000)
  })

  it('does not count as recovered by a health check from before the failure', async () => {
    const check = Promise.withResolvers<undefined>()
    const gallery = vi.fn(() => check.promise)
    const { store, news } = await openThree(folder, { 1: { search: reject, gallery } })
    await vi.waitFor(() => expect(gallery).toHaveBeenCalledTimes(1), 10_000)
    await store.search('a', vector(1, 0), EVERYTHING)
    const reaching = store.reach()
    check.resolve(undefined)
    expect(await states(reaching)).toEqual(['waits'])
    expect(news).toHaveLength(1)
    await reaching
    expect(gallery).toHaveBeenCalledTimes(2)
  })

  it('delays no call when the store is closed', async () => {
    const { store } = await openWithout(FOREVER_MS)
    const reaching = expect(store.reach()).rejects.toMatchObject(SHARD_AWAY)
    await store.close()
    await reaching
  })
})
