/** Migrations of a database that several cores share, on a real libSQL server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { ownerNamed } from '#core/metadata/access/owners.ts'
import { closeDatabase, type Database, openDatabase } from '#core/metadata/database.ts'
import { claimMigration, migrateSchema } from '#core/metadata/migrate.ts'
import { databaseServerOfTest } from '#test/support/servers/database-server.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'

const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', '..', 'core', 'metadata', 'migrations')
const CHILD = join(import.meta.dirname, 'migrate.child.ts')

/** A migration that may run only once, and a migration that takes seconds. */
const COUNT = "UPDATE owners SET name = name || '+'"
const SLOW = `CREATE TABLE slow AS WITH RECURSIVE counter (n) AS
  (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 4000000) SELECT max(n) AS n FROM counter`

/** The migrations of the next version: all of this version and one more. */
async function nextVersion(...statements: string[]) {
  const folder = await temporaryPath('migrations')
  await cp(MIGRATIONS, folder, { recursive: true })
  const file = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(file, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next' })
  await writeFile(file, JSON.stringify(journal))
  await writeFile(join(folder, 'next.sql'), statements.join('\n--> statement-breakpoint\n'))
  return folder
}

/** A server with the schema of this version and one owner, and `count` cores that are connected to it. */
async function served(count: number) {
  const server = await databaseServerOfTest()
  const cores: Database[] = []
  for (let i = 0; i < count; i++) {
    const database = await openDatabase(await temporaryFolder(), { database: { url: server.url } })
    onTestFinished(() => closeDatabase(database))
    cores.push(database)
  }
  await ownerNamed(cores[0]!, { id: 'a', name: 'ann', created: 0 })
  return { server, cores: cores as [Database, ...Database[]] }
}

const where = 'the database'
const namesOf = async (database: Database) =>
  (await database.values(sql`SELECT name FROM owners`)).map(row => row[0])
const migrationsOf = async (database: Database) =>
  (await database.values<[number]>(sql`SELECT count(*) FROM __drizzle_migrations`))[0]![0]
const schemaOf = (database: Database) =>
  database.values(
    sql`SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'migration_claim' ORDER BY name`,
  )

it('four cores that start at once apply a migration once', { tags: 'long' }, async () => {
  const { cores } = await served(4)
  const before = await migrationsOf(cores[0])
  const folder = await nextVersion(COUNT)
  await Promise.all(cores.map(database => migrateSchema(database, { folder, where })))
  expect(await namesOf(cores[0])).toEqual(['ann+'])
  expect(await migrationsOf(cores[0])).toBe(before + 1)
})

it('a core waits while another one has the claim, says so once, and continues when the other has migrated', {
  tags: 'long',
}, async () => {
  const { cores } = await served(2)
  const [first, second] = cores
  const folder = await nextVersion(COUNT)
  expect(await claimMigration(first, 'first')).toBe(true)
  const news: string[] = []
  let isDone = false
  const waiting = migrateSchema(second!, { folder, where, onMigration: event => news.push(event) })
  void waiting.then(() => {
    isDone = true
  })
  await sleep(1_000)
  expect({ news, isDone, names: await namesOf(first) }).toEqual({
    news: ['migration awaited'],
    isDone: false,
    names: ['ann'],
  })
  await first.run(sql`UPDATE migration_claim SET ends = 0`)
  await waiting
  expect(await namesOf(first)).toEqual(['ann+'])
})

it('a failed migration changes nothing, and cores of the earlier version work and start', async () => {
  const { server, cores } = await served(2)
  const before = await schemaOf(cores[0])
  const folder = await nextVersion(COUNT, 'CREATE TABLE added (n INTEGER)', 'INSERT INTO missing VALUES (1)')
  await expect(migrateSchema(cores[1]!, { folder, where })).rejects.toThrow(
    /^The migration of the database failed and changed nothing: .*no such table: missing\. The earlier version/,
  )
  expect(await schemaOf(cores[0])).toEqual(before)
  expect(await namesOf(cores[0])).toEqual(['ann'])
  await ownerNamed(cores[0], { id: 'b', name: 'bob', created: 0 })
  const again = await openDatabase(await temporaryFolder(), { database: { url: server.url } })
  onTestFinished(() => closeDatabase(again))
  expect(await namesOf(again)).toEqual(['ann', 'bob'])
  await migrateSchema(again, { folder: await nextVersion(COUNT), where })
  expect(await namesOf(again)).toEqual(['ann+', 'bob+'])
})

it('the next core completes a migration whose core was killed', { tags: 'long' }, async () => {
  const { server, cores } = await served(1)
  const folder = await nextVersion(COUNT, SLOW)
  const child = spawn(process.execPath, [CHILD, server.url, await temporaryFolder(), folder])
  const claimed = sql`SELECT 1 FROM sqlite_schema WHERE name = 'migration_claim'`
  const claims = sql`SELECT 1 FROM migration_claim WHERE ends > 0`
  const before = await migrationsOf(cores[0])
  while ((await cores[0].values(claimed)).length === 0 || (await cores[0].values(claims)).length === 0)
    await sleep(10)
  await sleep(200)
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  expect(await exit).toEqual([null, 'SIGKILL'])
  expect(await migrationsOf(cores[0])).toBe(before)
  // The claim of the killed core ends.
  await cores[0].run(sql`UPDATE migration_claim SET ends = 0`)
  await migrateSchema(cores[0], { folder, where })
  expect(await namesOf(cores[0])).toEqual(['ann+'])
  expect(await migrationsOf(cores[0])).toBe(before + 1)
})

it('a migration continues after a restart of the server', { tags: 'long' }, async () => {
  const { server, cores } = await served(1)
  const folder = await nextVersion(COUNT, SLOW)
  const migrating = migrateSchema(cores[0], { folder, where })
  await sleep(300)
  await server.kill()
  await server.start()
  await migrating
  expect(await namesOf(cores[0])).toEqual(['ann+'])
})
