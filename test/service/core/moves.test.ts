/** Moves of vectors and metadata: there, killed on the way, resumed, verified, and back. */

import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeLeftovers } from '#core/backup/leftovers.ts'
import { closeDatabase, type Database, openDatabase } from '#core/metadata/database.ts'
import { moveMetadata } from '#core/metadata/move.ts'
import { recordBucket } from '#core/pictures/open.ts'
import { moveStore } from '#core/vector-store/move.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import { readMove, recordMove } from '#core/vector-store/pending-move.ts'
import { localLayout, parseLayout, recordedLayout, recordLayout } from '#core/vector-store/sharding/layout.ts'
import { faceOf } from '#test/support/sample-faces.ts'
import { databaseServerOfTest } from '#test/support/servers/database-server.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { knownEntry } from '#test/unit/core/vector-store/known.ts'
import { addressText, testDatabase } from '#test/unit/core/vector-store/postgres/database.ts'
import { servedIds } from '#test/unit/core/vector-store/served.ts'
import { createGallery, enrolOne, openWorld } from './operations/world.ts'
import { runKilled } from './snapshots.ts'

/** Progress that ends a move at its call with this number. An exception leaves the same files as a kill, and frees the locks. */
function endingAt(step: number) {
  let calls = 0
  return () => {
    if (++calls === step) throw new Error('the end')
  }
}

describe('moveStore', { tags: 'long' }, () => {
  const database = testDatabase()
  /** Vectors of two pages. */
  const COUNT = 600
  const all = new Set(times(COUNT, id => id))

  /** Two databases as shards. */
  const databases = () =>
    ['0-511', '512-1023'].map(cells => ({ address: addressText(database.fresh()), cells }))

  // Both shards would create the schema at once, in the single session of PGlite.
  beforeAll(async () => {
    await database.ask('create extension if not exists vector')
  })

  async function filledFolder(ids = all) {
    const folder = await temporaryPath('vectors')
    await mkdir(folder)
    const store = await openVectorStore(folder, { shards: localLayout(2), embedder: 'known-32' })
    await store.add([...ids].map(knownEntry))
    await store.close()
    return folder
  }

  async function idsIn(folder: string) {
    const store = await openVectorStore(folder)
    try {
      return await servedIds(store)
    } finally {
      await store.close()
    }
  }

  it('moves every vector to databases and back, also when it is killed and the service runs before the next attempt', async () => {
    const folder = await filledFolder()
    const places = databases()
    const target = parseLayout(JSON.stringify(places), 'the test')
    await runKilled(join(import.meta.dirname, 'moves.child.ts'), folder, JSON.stringify(places), '1')
    expect(await recordedLayout(folder)).toEqual(localLayout(2))
    const store = await openVectorStore(folder)
    await store.remove([knownEntry(7)])
    await store.add([knownEntry(COUNT)])
    await store.close()
    const now = new Set([...all, COUNT].filter(id => id !== 7))

    expect(await moveStore(folder, target)).toBe(now.size)
    expect((await readdir(folder)).filter(name => name.startsWith('shard-'))).toEqual([])
    expect(await moveStore(folder, target)).toBeUndefined()

    expect(await moveStore(folder, localLayout(3))).toBe(now.size)
    expect(await idsIn(folder)).toEqual(now)
  })

  it('switches at the next start when it is killed after the verification', async () => {
    const folder = await filledFolder()
    await expect(moveStore(folder, localLayout(3), { onProgress: endingAt(1) })).rejects.toThrow('the end')
    const pending = (await readMove(folder))!
    // One page is copied and none is verified; a move that wrote this record has copied them all.
    await moveStore(folder, localLayout(3))
    await recordLayout(folder, localLayout(2))
    await recordMove(folder, { ...pending, verified: true })
    expect(await idsIn(folder)).toEqual(all)
    expect(await recordedLayout(folder)).toEqual(localLayout(3))
    expect((await readdir(folder)).filter(name => name.startsWith('shard-'))).toHaveLength(3)
  })

  it('refuses a database that has vectors, and one that it moves from', async () => {
    const few = new Set([1, 2])
    const folder = await filledFolder(few)
    const [place] = databases()
    const target = parseLayout(JSON.stringify([{ ...place, cells: '0-1023' }]), 'the test')
    await moveStore(folder, target)
    const other = await filledFolder(few)
    for (const _ of [1, 2])
      await expect(moveStore(other, target)).rejects.toMatchObject({ name: 'LayoutRefused' })
    expect(await idsIn(other)).toEqual(few)
    const [second] = databases()
    const both = [
      { ...place!, cells: '0-9' },
      { ...second!, cells: '10-1023' },
    ]
    await expect(moveStore(folder, parseLayout(JSON.stringify(both), 'the test'))).rejects.toThrow(
      'a database of the present ones',
    )
  })
})

/** All rows of all tables that belong to the installation. */
async function rowsIn(database: Database): Promise<unknown> {
  const { rows } = await database.$client.execute(
    `SELECT name FROM sqlite_schema WHERE type = 'table'
      AND name NOT IN ('sums', 'cores', 'migration_claim', '__drizzle_migrations') ORDER BY name`,
  )
  const tables = rows.map(({ name }) => String(name)).filter(name => !/^(libsql|_litestream)/.test(name))
  const contents = await Promise.all(
    tables.map(async name => {
      const { rows } = await database.$client.execute(`SELECT * FROM "${name}"`)
      return [name, rows.map(row => JSON.stringify(Object.values(row))).sort()] as const
    }),
  )
  return Object.fromEntries(contents)
}

it('a killed move into the folder leaves copies that removeLeftovers removes', async () => {
  const data = await temporaryFolder()
  await recordBucket(data, 's3://faces/site?endpoint=https://s3.example.com')
  for (const path of ['pictures/7.png', 'metadata-move/metadata.db']) {
    await mkdir(join(data, dirname(path)))
    await writeFile(join(data, path), 'personal')
  }
  await writeFile(join(data, 'pictures-move.json'), '{"version":1,"to":"pictures"}')
  await removeLeftovers(data)
  expect(await readdir(data)).toEqual(['pictures.json'])
})

it('moveMetadata moves every row to a server and back, also when it is killed', {
  tags: 'long',
}, async () => {
  const server = await databaseServerOfTest()
  const { data, close, ...world } = await openWorld()
  await createGallery(world, 'staff')
  for (const value of [10, 200]) await enrolOne(world, faceOf(value, 0, 0), { galleries: ['staff'] })
  const before = await rowsIn(world.database)
  await close()
  const there = { url: server.url }

  const move = { dataKey: undefined, from: undefined, to: there }
  await expect(moveMetadata(data, { ...move, onProgress: endingAt(3) })).rejects.toThrow('the end')
  const unchanged = await openDatabase(data)
  expect(await rowsIn(unchanged)).toEqual(before)
  await closeDatabase(unchanged)

  const rows = await moveMetadata(data, move)
  expect(rows).toBeGreaterThan(6)
  expect(existsSync(join(data, 'metadata.db'))).toBe(false)
  await expect(openDatabase(data)).rejects.toThrow('set MIEN_DATABASE_URL')
  const moved = await openDatabase(data, { database: there })
  expect(await rowsIn(moved)).toEqual(before)
  moved.$client.close()
  expect(await moveMetadata(data, { dataKey: undefined, from: there, to: there })).toBeUndefined()

  expect(await moveMetadata(data, { dataKey: undefined, from: there, to: undefined })).toBe(rows)
  const back = await openDatabase(data)
  expect(await rowsIn(back)).toEqual(before)
  await closeDatabase(back)
})
