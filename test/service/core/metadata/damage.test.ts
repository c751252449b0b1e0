/** Checksums of the metadata: verification detects changed bytes of stored data. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Libsql from 'libsql'
import { verifyAll } from '#core/backup/verify.ts'
import { databaseKey } from '#core/encryption/encrypt.ts'
import { newDataKey } from '#core/encryption/key-file.ts'
import { insertEntries } from '#core/metadata/audit-log/entries.ts'
import { closeAsOneFile, openDatabase } from '#core/metadata/database.ts'
import { metadataFaults } from '#core/metadata/row-sums.ts'
import { openRowsReadOnly } from '#core/vector-store/rows/row-reader.ts'
import { ROWS } from '#core/vector-store/shard/shard-open.ts'
import { faceOf } from '#test/support/sample-faces.ts'
import { letGo, temporaryFolder } from '#test/unit/core/folder.ts'
import { createRule } from '../operations/alerts/shared.ts'
import {
  createGallery,
  deleteFace,
  deleteGallery,
  deletePerson,
  enrolOne,
  mergePersons,
  openWorld,
  updateFace,
  type World,
} from '../operations/world.ts'

/** Number of changed bytes: MIEN_FLIPS, at least 60. Most bytes of a small file hold no data. */
const FLIPS = Math.max(60, Number(process.env.MIEN_FLIPS ?? 0))

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** Performs every kind of change on the tables. */
async function furnish(world: World) {
  for (const gallery of ['staff', 'guests']) await createGallery(world, gallery)
  const ids: number[] = []
  for (const colour of [1, 2, 3, 4, 5, 6])
    ids.push(await enrolOne(world, faceOf(colour, 9, 9), { galleries: ['staff'], meta: `meta ${colour} é` }))
  await updateFace(world, ids[0]!, { meta: 'another', personId: 3 })
  await updateFace(world, ids[1]!, { galleries: { kind: 'set', names: ['guests'] } })
  await deleteFace(world, ids[2]!)
  await createRule(world, { name: 'é', person_ids: [3] })
  await updateFace(world, ids[3]!, { personId: 4 })
  await mergePersons(world, 4, 3)
  await updateFace(world, ids[4]!, { personId: 5 })
  await createRule(world, { person_ids: [4, 5] })
  await deletePerson(world, 5)
  await world.database.run(`UPDATE faces SET age = 41.30000000000001 WHERE id = ${ids[3]}`)
  await insertEntries(world.database, [{ actor: 'a', action: 'b', subject: { c: 1 } }])
  await deleteGallery(world, 'staff')
  await enrolOne(world, faceOf(7, 9, 9), { galleries: ['guests'] })
}

/** All rows of all tables, with the stored type and bytes of each value. */
function contents(path: string, key?: string) {
  const file = new Libsql(path, { readonly: true, ...(key !== undefined && { encryptionKey: key }) })
  try {
    const all = (query: string) => file.prepare(query).all([]) as Record<string, unknown>[]
    const tables = all(`SELECT name FROM sqlite_schema WHERE type = 'table'`).map(({ name }) => String(name))
    return JSON.stringify(
      tables.map(name => {
        const columns = all(`SELECT name FROM pragma_table_info('${name}')`).map(column =>
          String(column.name),
        )
        const values = columns.map(column => `typeof("${column}") || hex("${column}")`)
        return [name, all(`SELECT ${values.join(` || ',' || `)} AS row FROM "${name}" ORDER BY 1`)]
      }),
    )
  } finally {
    file.close()
  }
}

it('a verification and a comparison leave no lock: files in DELETE mode can be opened after them', async () => {
  // As an interrupted restore leaves them.
  const world = await openWorld()
  await enrolOne(world, faceOf(1, 1, 1))
  await world.close()
  await letGo()
  await closeAsOneFile(await openDatabase(world.data))
  const rows = join(world.data, 'vectors', 'shard-0', ROWS)
  expect(metadataFaults(join(world.data, 'metadata.db'))).toEqual([])
  const reader = openRowsReadOnly(rows)
  expect([...reader.rows()]).toHaveLength(1)
  reader.close()
  for (const path of [rows, join(world.data, 'metadata.db')]) {
    const next = new Libsql(path)
    expect(() => next.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL'), path).not.toThrow()
    next.close()
  }
})

describe.each([
  ['unencrypted', undefined],
  ['encrypted', newDataKey()],
])('metadataFaults of %s metadata', (_, dataKey) => {
  const key = dataKey && databaseKey(dataKey)

  it('reports every changed byte of stored data', { tags: 'long' }, async () => {
    const world = await openWorld(undefined, dataKey)
    await furnish(world)
    await world.close()
    const path = join(folder, 'metadata.db')
    const undamaged = join(world.data, 'metadata.db')
    expect(metadataFaults(undamaged, key), 'every kind of change').toEqual([])
    const whole = await readFile(undamaged)
    const before = contents(undamaged, key)
    let found = 0
    for (let flip = 0; flip < FLIPS; flip++) {
      const from = (flip * 7919 + Math.floor((flip * whole.length) / FLIPS)) % whole.length
      // Most of a small file is free space of zeros.
      const at = from + whole.subarray(from).findIndex(byte => byte !== 0)
      if (at < from) continue
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1 << (flip % 8)
      await writeFile(path, damaged)
      const faults = metadataFaults(path, key)
      if (faults.length > 0) found++
      else expect(contents(path, key) === before, `byte ${at}`).toBe(true)
    }
    expect(found).toBeGreaterThan(FLIPS / 60)
  })
})

describe('verifyAll', () => {
  it('names metadata.db for a changed text, and its journal', async () => {
    const world = await openWorld()
    await enrolOne(world, faceOf(1, 1, 1), { photo: 'a photo by name.jpg' })
    const journal = join(world.data, 'metadata.db-wal')
    expect(await verifyAll(world.data, world)).toEqual([])
    await cp(journal, join(folder, 'journal'))
    await world.close()
    const path = join(world.data, 'metadata.db')
    const whole = await readFile(path)
    const damaged = Buffer.from(whole)
    damaged[whole.indexOf('a photo by name')]! ^= 0x80
    await writeFile(path, damaged)
    const parts = { ...world, database: () => Promise.reject(new Error('is not opened')) }
    const { vectors, pictures } = await openWorld()
    expect((await verifyAll(world.data, { ...parts, vectors, pictures }))[0]).toContain(
      'metadata.db: the rows of the table "faces"',
    )
    await writeFile(path, whole)
    const bytes = await readFile(join(folder, 'journal'))
    bytes[5_000]! ^= 1
    await writeFile(journal, bytes)
    expect((await verifyAll(world.data, { ...parts, vectors, pictures }))[0]).toContain(
      'metadata.db-wal is damaged',
    )
  })

  it('corrects, at the first start, a wrong sum of an earlier version with fewer columns', async () => {
    const world = await openWorld()
    await createRule(world, { person_ids: [1] })
    // 0.2.0 got the sum wrong when it merged persons of rules.
    await world.database.run(`UPDATE sums SET columns = '?.id,?.owner', sum = sum + 1 WHERE name = 'alerts'`)
    await world.close()
    const path = join(world.data, 'metadata.db')
    expect(metadataFaults(path)).toEqual([expect.stringContaining('"alerts"')])
    await (await openWorld(world.data)).close()
    expect(metadataFaults(path)).toEqual([])
  })
})
