/** The migrations in the repository are those that the schema asks for. */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import * as schema from '../../../core/metadata/schema.ts'

// Through require: drizzle-kit's module for import asks for `require` itself.
const kit = createRequire(import.meta.url)('drizzle-kit/api') as typeof import('drizzle-kit/api')

it('leaves nothing for `npm run migrations` to add', async () => {
  const folder = new URL('../../../core/metadata/migrations/meta/', import.meta.url)
  const snapshots = (await readdir(folder)).filter(name => name.endsWith('_snapshot.json')).sort()
  const last = JSON.parse(await readFile(new URL(snapshots.at(-1)!, folder), 'utf8'))
  const current = await kit.generateSQLiteDrizzleJson(schema, last.id)
  expect(await kit.generateSQLiteMigration(last, current)).toEqual([])
})

it('takes faces of before for such that have pictures: none was kept without', async () => {
  const folder = new URL('../../../core/metadata/migrations/', import.meta.url)
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const database = new DatabaseSync(':memory:')
  for (const name of names) {
    if (name === '0006_pictured.sql') {
      database.exec("INSERT INTO owners (id, name, created) VALUES ('o', 'ann', 0)")
      database.exec(
        `INSERT INTO faces (id, owner, timestamp, photo, photo_hash, x1, y1, x2, y2, meta)
         VALUES (7, 'o', 0, 'a.jpg', 'ab', 0, 0, 60, 60, '')`,
      )
    }
    database.exec(await readFile(new URL(name, folder), 'utf8'))
  }
  expect(database.prepare('SELECT id, pictured FROM faces').all()).toEqual([{ id: 7, pictured: 1 }])
  database.close()
})
