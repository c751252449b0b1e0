/** The migrations in the repository match the schema. */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import * as alertSchema from '#core/metadata/alert-schema.ts'
import * as cameraSchema from '#core/metadata/camera-schema.ts'
import * as schema from '#core/metadata/schema.ts'

// require: drizzle-kit's ES module itself needs `require`.
const kit = createRequire(import.meta.url)('drizzle-kit/api') as typeof import('drizzle-kit/api')

it('the migrations leave nothing for `npm run migrations` to add', async () => {
  const folder = new URL('../../../../core/metadata/migrations/meta/', import.meta.url)
  const snapshots = (await readdir(folder)).filter(name => name.endsWith('_snapshot.json')).sort()
  const last = JSON.parse(await readFile(new URL(snapshots.at(-1)!, folder), 'utf8'))
  const current = await kit.generateSQLiteDrizzleJson({ ...schema, ...alertSchema, ...cameraSchema }, last.id)
  expect(await kit.generateSQLiteMigration(last, current)).toEqual([])
})

/** A database with these rows before this migration, migrated to the last version. */
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

it('0005_token_scopes gives existing tokens the scope admin and no expiry', async () => {
  const token = "INSERT INTO tokens (id, hash, owner, name, created) VALUES ('t', 'ab', 'o', 'door', 5)"
  const database = await migratedWith('0005_token_scopes.sql', OWNER, token)
  expect(database.prepare('SELECT id, scope, expires, revoked, rate, used FROM tokens').all()).toEqual([
    { id: 't', scope: 'admin', expires: null, revoked: null, rate: null, used: null },
  ])
})

it('0007_several_cores gives existing intents no core, and owners revision 0', async () => {
  const note =
    "INSERT INTO unsettled (id, work, owner, face, galleries, since) VALUES (1, 'w', 'o', 7, '[]', 0)"
  const database = await migratedWith('0007_several_cores.sql', OWNER, note)
  expect(database.prepare('SELECT face, core FROM unsettled').all()).toEqual([{ face: 7, core: null }])
  expect(database.prepare('SELECT revision FROM owners').all()).toEqual([{ revision: 0 }])
})

it('0006_pictured marks existing faces as having pictures', async () => {
  const face = `INSERT INTO faces (id, owner, timestamp, photo, photo_hash, x1, y1, x2, y2, meta)
    VALUES (7, 'o', 0, 'a.jpg', 'ab', 0, 0, 60, 60, '')`
  const database = await migratedWith('0006_pictured.sql', OWNER, face)
  expect(database.prepare('SELECT id, pictured FROM faces').all()).toEqual([{ id: 7, pictured: 1 }])
})
