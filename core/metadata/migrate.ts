/** Migrates the schema in one transaction, by one of several cores. Refuses a later schema, and mends data of earlier versions. */

import type { Client } from '@libsql/client'
import { sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { environment, retry, sleep } from '../../contract/environment.ts'
import { laterVersion } from '../../contract/later-version.ts'
import { FACE_LIMITS } from '../../contract/limits/faces.ts'
import { DatabaseRefused } from './connection/address.ts'
import { isDatabaseUnavailable } from './connection/availability.ts'
import journal from './migrations/meta/_journal.json' with { type: 'json' }
import { NOW_MS } from './schema.ts'

type Database = Pick<LibSQLDatabase, 'values' | 'run'> & { $client: Client }

/** Called once when this core waits for another core that migrates. */
export type OnMigration = (event: 'migration awaited') => void

interface MigrationSettings {
  /** Folder of the migrations. */
  folder: string
  /** Path or URL of the database, for messages. */
  where: string
  onMigration?: OnMigration
}

/** How long to wait for another core. Two claims: the first core may be killed, and the second one migrates. */
const WAIT_MS = 260_000

/** Attempts of one core. An attempt fails when the server restarts, or interrupts it in favour of another writer. */
const ATTEMPTS = 5

/** Pause before the schema is read again. */
const SCHEMA_PAUSE_MS = 500

/**
 * Applies the migrations that the database lacks: all or none. Resolves when this core or another one has applied them.
 * Rejects with DatabaseRefused when a migration does not finish, fails at a server, or takes another core longer than
 * WAIT_MS; with the error of SQLite when it fails in a file. The schema is then unchanged.
 */
export async function migrateSchema(database: Database, settings: MigrationSettings): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: settings.folder })
  await retry(() => migrateOnce(database, migrations, settings), {
    isTemporary: isDatabaseUnavailable,
    attempts: ATTEMPTS,
    delayMs: SCHEMA_PAUSE_MS,
  }).catch(cause => {
    if (!isDatabaseUnavailable(cause)) throw cause
    throw new DatabaseRefused(
      `The migration of ${settings.where} did not finish and changed nothing: the database does not answer, or writes of other cores interrupt the migration. Stop the other cores and start again.`,
      { cause },
    )
  })
}

async function migrateOnce(
  database: Database,
  migrations: readonly MigrationMeta[],
  settings: MigrationSettings,
) {
  const isMigrated = async () => missing(migrations, await migratedUntil(database)).length === 0
  // Processes on one file wait for the transaction. A server interrupts a transaction after five seconds when another
  // writer waits: other cores must not try to write.
  const core = environment.id()
  const isFile = database.$client.protocol === 'file'
  if (await isMigrated()) return
  if (!isFile && (await awaitClaim(database, core, isMigrated, settings)) === 'migrated') return
  try {
    const until = await migratedUntil(database)
    await database.$client.executeMultiple(transaction(missing(migrations, until), until))
  } catch (error) {
    if (await isMigrated().catch(() => false)) return
    if (isFile || isDatabaseUnavailable(error)) throw error
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new DatabaseRefused(
      `The migration of ${settings.where} failed and changed nothing: ${reason}. The earlier version still works with it.`,
    )
  } finally {
    if (!isFile) await releaseMigration(database, core).catch(() => {})
  }
}

/** Waits until this core has the claim or another core has migrated. */
async function awaitClaim(
  database: Database,
  core: string,
  isMigrated: () => Promise<boolean>,
  { where, onMigration }: MigrationSettings,
): Promise<'claimed' | 'migrated'> {
  for (const began = environment.monotonic(), state = { isReported: false }; ; ) {
    const isFree = !(await isMigrationClaimed(database, core))
    if (isFree && (await claimMigration(database, core))) return 'claimed'
    if (!state.isReported) onMigration?.('migration awaited')
    state.isReported = true
    if (environment.monotonic() - began > WAIT_MS)
      throw new DatabaseRefused(`Another core has not finished the migration of ${where}. Start again later.`)
    await sleep(SCHEMA_PAUSE_MS)
    if (await isMigrated()) return 'migrated'
  }
}

const missing = (migrations: readonly MigrationMeta[], until: number) =>
  migrations.filter(({ folderMillis }) => folderMillis > until)

/**
 * A script that applies the migrations. Its first write fails when another process has migrated since `until` was read:
 * the hash of a row must not be null. A rebuilt table needs foreign keys off.
 */
function transaction(migrations: readonly MigrationMeta[], until: number) {
  const isOutdated = `(SELECT coalesce(max(created_at), 0) FROM ${MIGRATIONS_TABLE}) <> ${until}`
  const insert = `INSERT INTO ${MIGRATIONS_TABLE} (hash, created_at)`
  return [
    'PRAGMA foreign_keys = OFF',
    'BEGIN IMMEDIATE',
    // As drizzle's own migrator creates it.
    `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`,
    `${insert} SELECT NULL, 0 WHERE ${isOutdated}`,
    ...migrations.flatMap(({ sql, hash, folderMillis }) => [
      ...sql,
      `${insert} VALUES ('${hash}', ${folderMillis})`,
    ]),
    'COMMIT',
    'PRAGMA foreign_keys = ON',
  ].join(';\n')
}

/**
 * Lifetime of a claim in milliseconds: longer than a migration may take (MIGRATION_MS of database.ts). A claim cannot be
 * renewed, because the migration holds the write lock. A core that is killed delays the others for this long.
 */
const CLAIM_MS = 130_000

/** Whether another core has a valid claim. Reads only: a write would interrupt the migration of that core. */
async function isMigrationClaimed(database: Database, core: string) {
  const tables = await database.values(sql`SELECT 1 FROM sqlite_schema WHERE name = 'migration_claim'`)
  if (tables.length === 0) return false
  const claims = sql`SELECT 1 FROM migration_claim WHERE core <> ${core} AND ends > ${NOW_MS}`
  return (await database.values(claims)).length > 0
}

/** Claims the migration for this core unless another core has a valid claim. Resolves to whether it has the claim. */
export async function claimMigration(database: Database, core: string): Promise<boolean> {
  await database.run(
    sql`CREATE TABLE IF NOT EXISTS migration_claim (one INTEGER PRIMARY KEY CHECK (one = 1), core TEXT NOT NULL, ends INTEGER NOT NULL)`,
  )
  const { rowsAffected } = await database.run(sql`
    INSERT INTO migration_claim (one, core, ends) VALUES (1, ${core}, ${NOW_MS} + ${CLAIM_MS})
    ON CONFLICT (one) DO UPDATE SET core = excluded.core, ends = excluded.ends
    WHERE migration_claim.core = excluded.core OR migration_claim.ends <= ${NOW_MS}`)
  return rowsAffected > 0
}

/** Gives up the claim of this core. */
async function releaseMigration(database: Database, core: string) {
  await database.run(sql`DELETE FROM migration_claim WHERE core = ${core}`)
}

/** Creation time of the last migration of version 0.1, in Unix milliseconds. Times rise from migration to migration. */
const LAST_OF_0_1 = 1_795_174_718_668

/** Creation time of the last migration of this version, in Unix milliseconds. */
const LAST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when))

/** The table of applied migrations. */
const MIGRATIONS_TABLE = '__drizzle_migrations'

/** Creation time of the last applied migration, in Unix milliseconds; 0 for an empty database. */
async function migratedUntil(database: Pick<LibSQLDatabase, 'values'>) {
  const table = sql`SELECT 1 FROM sqlite_schema WHERE name = ${MIGRATIONS_TABLE}`
  if ((await database.values(table)).length === 0) return 0
  const [row] = await database.values<[number | null]>(
    sql`SELECT max(created_at) FROM ${sql.identifier(MIGRATIONS_TABLE)}`,
  )
  return Number(row?.[0] ?? 0)
}

/** Throws DatabaseRefused for a database of a later version or of 0.1. `where` is its path or URL. Changes nothing. */
export async function requireKnownSchema(
  database: Pick<LibSQLDatabase, 'values'>,
  where: string,
): Promise<void> {
  const until = await migratedUntil(database)
  if (until > LAST_MIGRATION) throw new DatabaseRefused(laterVersion(where))
  if (until > 0 && until <= LAST_OF_0_1)
    throw new DatabaseRefused(`${where} is of version 0.1 of Mien: start version 0.2 with it first.`)
}

/** The text of digits in a column of JSON, as a number. */
const numberIn = (column: string) => sql.raw(`CAST(trim(${column}, '"') AS INTEGER)`)

/** Faces whose person is a text of 1 to 16 digits within the range of ids. The range of texts reads only these of the index. */
const mendable = sql.raw(`FROM owners JOIN faces ON faces.owner = owners.id
  WHERE faces.person_id IS NOT NULL AND faces.person_id >= '"0' AND faces.person_id < '":'
    AND length(faces.person_id) BETWEEN 3 AND 18 AND substr(faces.person_id, 2, length(faces.person_id) - 2) NOT GLOB '*[^0-9]*'
    AND CAST(trim(faces.person_id, '"') AS INTEGER) <= ${FACE_LIMITS.givenPersonId}`)

/**
 * Mends faces whose `person_id` is a text of digits, as versions until 0.2.0 stored it. Each text becomes its number in faces
 * and in deliveries, all or nothing. An unknown number becomes a person with the meta of its first face. Runs at each start: a
 * core of an earlier version may still store texts at a server.
 */
export async function mendTextPersons(database: LibSQLDatabase): Promise<void> {
  if ((await database.values(sql`SELECT 1 ${mendable} LIMIT 1`)).length === 0) return
  const person = numberIn('faces.person_id')
  await database.batch([
    // Cores that assign a new person at the same time read again.
    database.run(sql`UPDATE owners SET revision = revision + 1 WHERE id IN (SELECT owners.id ${mendable})`),
    database.run(sql`
      INSERT OR IGNORE INTO persons (owner, id, meta)
      SELECT owner, person, meta FROM (
        SELECT faces.owner, ${person} AS person, faces.meta, min(faces.id) ${mendable} GROUP BY faces.owner, person
      )`),
    database.run(sql`
      UPDATE deliveries SET person = CAST(${numberIn('person')} AS TEXT)
      WHERE face IN (SELECT faces.id ${mendable})`),
    database.run(sql`
      UPDATE faces SET person_id = CAST(${numberIn('person_id')} AS TEXT)
      WHERE id IN (SELECT faces.id ${mendable})`),
  ])
}
