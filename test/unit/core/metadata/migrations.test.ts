/** The migrations in the repository match the schema. */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import * as accessSchema from '#core/metadata/access/schema.ts'
import * as alertSchema from '#core/metadata/alerts/schema.ts'
import * as cameraSchema from '#core/metadata/cameras/schema.ts'
import * as personSchema from '#core/metadata/persons/schema.ts'
import * as schema from '#core/metadata/schema.ts'

// require: drizzle-kit's ES module itself needs `require`.
const kit = createRequire(import.meta.url)('drizzle-kit/api') as typeof import('drizzle-kit/api')

it('the migrations leave nothing for `npm run migrations` to add', async () => {
  const folder = new URL('../../../../core/metadata/migrations/meta/', import.meta.url)
  const [snapshot, ...older] = (await readdir(folder)).filter(name => name.endsWith('_snapshot.json'))
  expect(older, 'delete older snapshots: drizzle-kit reads the newest one').toEqual([])
  const last = JSON.parse(await readFile(new URL(snapshot!, folder), 'utf8'))
  const current = await kit.generateSQLiteDrizzleJson(
    { ...schema, ...accessSchema, ...alertSchema, ...cameraSchema, ...personSchema },
    last.id,
  )
  expect(await kit.generateSQLiteMigration(last, current)).toEqual([])
})
