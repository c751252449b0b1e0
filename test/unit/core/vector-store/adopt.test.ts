/** Vectors of version 0.1.0: moved once, after interruptions too, and not while the older version runs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { beforeEach, describe, expect, it } from 'vitest'
import { openVectorStore } from '#core/vector-store/open.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '../folder.ts'
import { knownEntry, knownVector } from './known.ts'

/** More than one batch of a move. */
const COUNT = 1_050

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** A vector file of version 0.1.0. */
function olderFile(): Libsql.Database {
  const file = new Libsql(join(folder, 'exact.db'))
  file.exec('PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;')
  file.exec(`CREATE TABLE vectors (gallery TEXT NOT NULL, id INTEGER NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (gallery, id)) WITHOUT ROWID; BEGIN;`)
  const insert = file.prepare('INSERT INTO vectors VALUES (?, ?, ?)')
  for (let id = 0; id < COUNT; id++) insert.run(['g', id, Buffer.from(knownVector(id).buffer)])
  file.exec('COMMIT')
  return file
}

function release(file: Libsql.Database): void {
  file.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema;')
  file.close()
}

async function expectAll(store: VectorStore): Promise<void> {
  expect(await store.gallery('g')).toMatchObject({ linear: COUNT })
  for (const id of [0, 3, 999, 1_000, COUNT - 1])
    expect(await store.get({ gallery: 'g', id })).toEqual(knownVector(id))
}

describe('openVectorStore with a file of version 0.1.0', () => {
  it('moves its vectors into the shards and removes the file, also after an interruption', async () => {
    const before = await openVectorStore(folder)
    await before.add([3, 500, 1_010].map(knownEntry))
    await before.close()
    release(olderFile())
    const store = await openVectorStore(folder)
    await expectAll(store)
    expect(existsSync(join(folder, 'exact.db'))).toBe(false)
    await store.close()
  })

  it('refuses to open while the older version uses the file', async () => {
    const file = olderFile()
    await expect(openVectorStore(folder)).rejects.toMatchObject({ name: 'VectorFileLocked' })
    release(file)
    const store = await openVectorStore(folder)
    await expectAll(store)
    await store.close()
  })
})
