/** The migrations in the repository are those that the schema asks for. */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import * as schema from '../../../../core/metadata/schema.ts'

// Through require: drizzle-kit's module for import asks for `require` itself.
const kit = createRequire(import.meta.url)('drizzle-kit/api') as typeof import('drizzle-kit/api')

it('leaves nothing for `npm run migrations` to add', async () => {
  const folder = new URL('../../../../core/metadata/migrations/meta/', import.meta.url)
  const snapshots = (await readdir(folder)).filter(name => name.endsWith('_snapshot.json')).sort()
  const last = JSON.parse(await readFile(new URL(snapshots.at(-1)!, folder), 'utf8'))
  const current = await kit.generateSQLiteDrizzleJson(schema, last.id)
  expect(await kit.generateSQLiteMigration(last, current)).toEqual([])
})

/** A database that had these rows before the migration of this name, and has been migrated to the last since. */
async function migratedWith(before: string, ...rows: string[]): Promise<DatabaseSync> {
  const folder = new URL('../../../../core/metadata/migrations/', import.meta.url)
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  expect(names).toContain(before)
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  for (const name of names) {
    if (name === before) for (const row of rows) database.exec(row)
    database.exec(await readFile(new URL(name, folder), 'utf8'))
  }
  return database
}

const OWNER = "INSERT INTO owners (id, name, created) VALUES ('o', 'ann', 0)"

it('lets tokens of before do what they always could, for as long as they could', async () => {
  const token = "INSERT INTO tokens (id, hash, owner, name, created) VALUES ('t', 'ab', 'o', 'door', 5)"
  const database = await migratedWith('0005_token_scopes.sql', OWNER, token)
  expect(database.prepare('SELECT id, scope, expires, revoked, rate, used FROM tokens').all()).toEqual([
    { id: 't', scope: 'admin', expires: null, revoked: null, rate: null, used: null },
  ])
})

it("takes what was noted before for nobody's, and every owner for one whom nothing was decided about", async () => {
  const note =
    "INSERT INTO unsettled (id, work, owner, face, galleries, since) VALUES (1, 'w', 'o', 7, '[]', 0)"
  const database = await migratedWith('0007_several_cores.sql', OWNER, note)
  expect(database.prepare('SELECT face, core FROM unsettled').all()).toEqual([{ face: 7, core: null }])
  expect(database.prepare('SELECT revision FROM owners').all()).toEqual([{ revision: 0 }])
})

it('takes faces of before for such that have pictures: none was kept without', async () => {
  const face = `INSERT INTO faces (id, owner, timestamp, photo, photo_hash, x1, y1, x2, y2, meta)
    VALUES (7, 'o', 0, 'a.jpg', 'ab', 0, 0, 60, 60, '')`
  const database = await migratedWith('0006_pictured.sql', OWNER, face)
  expect(database.prepare('SELECT id, pictured FROM faces').all()).toEqual([{ id: 7, pictured: 1 }])
})
