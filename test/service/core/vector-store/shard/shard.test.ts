/** The durable shard, in this thread and in its own: the shared suite and its own tests. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Libsql from 'libsql'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import type { VectorEntry, VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import {
  closest,
  closeWithTest,
  expectUsableAgain,
  indexBesideChanges,
  knownEntries,
  knownVector,
  waitForIndex,
} from '#test/unit/core/vector-store/known.ts'
import { behavesAsAVectorStore } from '#test/unit/core/vector-store/vector-store.suite.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

behavesAsAVectorStore('openShardThread', () => openShardThread(folder))

const ROWS = 1_000
const EVERYTHING = { limit: ROWS * 2, minScore: -1 }

/** Correct answers before, during and after an index build, and after a restart. */
describe('openShardThread with spaces', () => {
  let store: VectorStore
  let stored: VectorEntry[]

  const open = () => openShardThread(folder)

  beforeEach(async () => {
    store = await open()
    stored = knownEntries(0, ROWS)
    await store.add(stored)
  })
  afterEach(() => store.close())

  const search = (probe: Float32Array, limit: number, linearOnly = false) =>
    store.search('g', probe, { limit, minScore: -1, linearOnly })

  /** An index may miss candidates unless all are requested, but never returns a wrong score. */
  async function answersRightly() {
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
    await indexBesideChanges(store, stored, async changed => {
      stored = changed
      await answersRightly()
    })
    await answersRightly()
    const { linear, preindex, indexed } = (await store.gallery('g'))!
    expect({ preindex, all: linear + preindex + indexed }).toEqual({ preindex: 0, all: stored.length })
  })

  it('moves all rows into the index, searches it, and keeps new rows beside it', async () => {
    await store.startIndex('g')
    expect(await waitForIndex(store)).toBe('ready')
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
    expect(contents).toMatchObject({ indexed: ROWS, linear: 50, unindexed: 50, building: 0 })
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
    await waitForIndex(store)
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
    await expectUsableAgain(store)
  })
})

const anyVector = () => Float32Array.from({ length: 128 }, () => Math.random() - 0.5)
const anyEntries = (count: number, gallery = 'g') =>
  times(count, id => ({ gallery, id, vector: anyVector() }))

const opened = (settings: Parameters<typeof openShard>[1] = {}) => closeWithTest(openShard(folder, settings))

describe('openShard', { tags: 'long' }, () => {
  it('overwrites removed vectors in its files and its journal', async () => {
    const store = await opened()
    const entries = anyEntries(900)
    for (let from = 0; from < 900; from += 100) await store.add(entries.slice(from, from + 100))
    const gone = entries.filter(({ id }) => id % 3 > 0)
    expect(await held(gone)).toBe(gone.length)
    for (let from = 0; from < gone.length; from += 50) await store.remove(gone.slice(from, from + 50))
    expect(await held(gone)).toBe(0)
    expect(await held(entries)).toBe(300)
  })

  it('overwrites replaced vectors, and keeps them when the replacement cannot be committed', async () => {
    const store = await opened()
    const [earlier, better] = [anyEntries(10), anyEntries(10)]
    await store.add(earlier)
    const writer = new Libsql(join(folder, 'rows.db'))
    writer.exec('BEGIN IMMEDIATE')
    const failed = store.add(better, { replaces: true })
    await expect(failed).rejects.toMatchObject({ name: 'StoreUnavailable' })
    writer.exec('ROLLBACK')
    writer.close()
    const nearest = async () =>
      (await store.search('g', earlier[7]!.vector, { limit: 1, minScore: -1 })).candidates[0]!.score
    expect(await nearest()).toBeCloseTo(1, 5)
    await store.add(better, { replaces: true })
    expect(await nearest()).toBeLessThan(0.9)
    expect([await held(earlier), await held(better)]).toEqual([0, 10])
  })

  it('overwrites the journal as soon as no other connection reads', async () => {
    const store = await opened()
    const entries = anyEntries(10)
    await store.add(entries)
    const reader = new Libsql(join(folder, 'rows.db'))
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM slots').get([])
    await store.remove(entries.slice(0, 5))
    expect(await held(entries.slice(0, 5))).toBe(5)
    reader.exec('COMMIT')
    reader.close()
    await expect.poll(() => held(entries.slice(0, 5))).toBe(0)
    expect(await held(entries)).toBe(5)
  })

  it('has one file when it is closed, beside its index files', async () => {
    const store = await opened()
    await store.add(anyEntries(100))
    await store.startIndex('g')
    await waitForIndex(store)
    const { indexFile } = (await store.gallery('g'))!
    await store.close()
    expect((await readdir(folder)).sort()).toEqual(['index', 'rows.db'])
    expect(await readdir(join(folder, 'index'))).toEqual([indexFile])
  })

  it('builds an index automatically above indexAbove, and again after many changes', async () => {
    const store = await opened({ indexAbove: 400 })
    const entries = anyEntries(1_000)
    await store.add(entries.slice(0, 400))
    expect(await store.indexState('g')).toEqual({ state: 'none', progress: 1 })
    await store.add(entries.slice(400, 401))
    expect(await waitForIndex(store)).toBe('ready')
    expect(await store.gallery('g')).toMatchObject({ linear: 0, indexed: 401 })
    await store.add(entries.slice(401, 801))
    expect(await store.gallery('g')).toMatchObject({ linear: 400, indexed: 401 })
    await store.add(entries.slice(801, 802))
    await waitForIndex(store)
    expect(await store.gallery('g')).toMatchObject({ linear: 0, indexed: 802 })
    await store.remove(entries.slice(0, 160))
    expect(await store.gallery('g')).toMatchObject({ indexed: 642, indexedDeleted: 160 })
    await store.remove(entries.slice(160, 161))
    await waitForIndex(store)
    expect(await store.gallery('g')).toMatchObject({ indexed: 641, indexedDeleted: 0 })
  })

  it('leaves no index file of a gallery that is removed while its new index is loaded', async () => {
    const entries = anyEntries(2_000)
    const removals: Promise<unknown>[] = []
    const onStep = (step: string) => {
      if (step === 'committed' && builds++ > 0) removals.push(store.remove(entries))
    }
    let builds = 0
    const store = await opened({ indexAbove: 1e9, onStep })
    await store.add(entries)
    for (const state of ['ready', 'none']) {
      await store.startIndex('g')
      expect(await waitForIndex(store)).toBe(state)
    }
    expect(await Promise.all(removals)).toHaveLength(1)
    await expect.poll(() => readdir(join(folder, 'index'))).toEqual([])
  })

  it('reports a failed index build, keeps searching, and builds the index on the next request', async () => {
    const store = await opened()
    const entries = anyEntries(200)
    await store.add(entries)
    const { rename } = await import('node:fs/promises')
    await rename(join(folder, 'index'), join(folder, 'elsewhere'))
    await store.startIndex('g')
    expect(await waitForIndex(store)).toBe('failed')
    expect(await store.gallery('g')).toMatchObject({ linear: 0, preindex: 200, indexed: 0 })
    expect((await store.search('g', entries[3]!.vector, { limit: 1, minScore: 0 })).candidates).toMatchObject(
      [{ id: 3 }],
    )
    await rename(join(folder, 'elsewhere'), join(folder, 'index'))
    await store.startIndex('g')
    expect(await waitForIndex(store)).toBe('ready')
  })
})

/** The number of these vectors that any file of the shard contains. */
async function held(entries: readonly { vector: Float32Array }[]) {
  const names = await readdir(folder)
  const files = await Promise.all(names.map(async name => (await stat(join(folder, name))).isFile() && name))
  const contents = await Promise.all(files.flatMap(name => (name ? readFile(join(folder, name)) : [])))
  return entries.filter(({ vector }) => contents.some(bytes => bytes.includes(Buffer.from(vector.buffer))))
    .length
}
