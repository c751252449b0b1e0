/** Compaction: no byte of a removed vector stays in a file, and indexes that contained it are rebuilt. */

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collectGarbage } from '#core/vector-store/background.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import { compactStore } from '#core/vector-store/rewrite-store.ts'
import { localLayout } from '#core/vector-store/sharding/layout.ts'
import { verifyFiles } from '#core/vector-store/verify.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '../folder.ts'
import { closeWithTest, waitForIndex } from './known.ts'

const DIMENSION = 16
const COUNT = 40

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const opened = () => closeWithTest(openVectorStore(folder, { shards: localLayout(1) }))

/** Vectors far apart. Some are alone in their list of the index, whose centroid is then the vector itself. */
const vectorOf = (id: number) => {
  const vector = new Float32Array(DIMENSION)
  vector[id % DIMENSION] = id % 2 === 0 ? 1 : -1
  vector[(id * 7 + 3) % DIMENSION]! += 0.25 + id / 100
  return vector
}

const unitOf = (vector: Float32Array) => {
  const length = Math.hypot(...vector)
  return Buffer.from(vector.map(value => value / length).buffer)
}

/** Creates and closes a store with an index over all vectors. `removing` removes one vector. */
async function createStore({ removing }: { removing: boolean }) {
  const store = await opened()
  await store.add(times(COUNT, id => ({ gallery: 'g', id, vector: vectorOf(id) })))
  await store.startIndex('g')
  expect(await waitForIndex(store)).toBe('ready')
  if (removing) await store.remove([{ gallery: 'g', id: 5 }])
  await store.close()
}

const indexes = () => readdir(join(folder, 'shard-0', 'index'))

describe('compactStore', () => {
  it('removes an index that contains a removed vector, and the next start rebuilds it', async () => {
    await createStore({ removing: true })
    expect(await indexes()).toHaveLength(1)
    expect(await compactStore(folder)).toEqual([])
    expect(await indexes()).toEqual([])
    expect((await verifyFiles(folder)).faults).toEqual([])
    // Closes the verified file.
    collectGarbage()
    const store = await opened()
    expect(await waitForIndex(store)).toBe('ready')
    expect(await store.gallery('g')).toMatchObject({ indexed: COUNT - 1, indexedDeleted: 0 })
    const [name] = await indexes()
    expect((await readFile(join(folder, 'shard-0', 'index', name!))).includes(unitOf(vectorOf(5)))).toBe(
      false,
    )
  })

  it('removes an index that contains a replaced vector, and keeps one that does not', async () => {
    await createStore({ removing: false })
    await compactStore(folder)
    expect(await indexes()).toHaveLength(1)
    const store = await opened()
    await store.add([{ gallery: 'g', id: 5, vector: vectorOf(6) }], { replaces: true })
    await store.close()
    await compactStore(folder)
    expect(await indexes()).toEqual([])
  })

  it('removes damaged files and the shard of an unfinished conversion, and returns the damaged files', async () => {
    await createStore({ removing: false })
    const aside = ['rows.db.damaged', 'rows.db.damaged-2'].map(name => join(folder, 'shard-0', name))
    for (const path of aside) await writeFile(path, 'vectors of old')
    const next = join(folder, 'shard-0.1')
    await mkdir(next)
    await writeFile(join(next, 'rows.db'), 'vectors to be')
    await writeFile(join(folder, 'generation.json'), '{"number":0,"embedder":"test"}')
    expect((await compactStore(folder)).sort()).toEqual(aside)
    expect([...aside, next].filter(existsSync)).toEqual([])
  })
})
