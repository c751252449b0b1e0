/** The migrations in the repository are those that the schema asks for. */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
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
