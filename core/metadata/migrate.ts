/** Migrates the schema in one transaction. One of several cores migrates; the others wait. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@libsql/client'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { isDatabaseUnavailable } from './connection/availability.ts'
import { claimMigration, isMigrationClaimed, releaseMigration } from './connection/migration-claim.ts'
import { DatabaseRefused } from './connection/remembered-address.ts'
import { MIGRATIONS_TABLE, migratedUntil } from './known-schema.ts'

type Database = Pick<LibSQLDatabase, 'values' | 'run'> & { $client: Client }

/** Called once when this core waits for another core that migrates. */
export type OnMigration = (event: 'migration awaited') => void

export interface MigrationSettings {
  /** Folder of the migrations. */
  folder: string
  /** Path or URL of the database, for messages. */
  where: string
  onMigration?: OnMigration | undefined
  /** How long to wait for another core, in milliseconds; two claims when absent. */
  waitMs?: number | undefined
}

/** Two claims: the first core may be killed, and the second one migrates. */
const WAIT_MS = 260_000

/** Attempts of one core. An attempt fails when the server restarts, or interrupts it in favour of another writer. */
const ATTEMPTS = 5

/** Pause before the schema is read again. */
const PAUSE_MS = 500

/**
 * Applies the migrations that the database lacks: all or none. Resolves when this core or another one has applied them.
 * Rejects with DatabaseRefused when a migration does not finish, fails at a server, or takes another core longer than
 * `waitMs`; with the error of SQLite when it fails in a file. The schema is then unchanged.
 */
export async function migrateSchema(database: Database, settings: MigrationSettings): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: settings.folder })
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(database, migrations, settings)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (attempt === ATTEMPTS)
        throw new DatabaseRefused(
          `The migration of ${settings.where} did not finish and changed nothing: the database does not answer, or writes of other cores interrupt the migration. Stop the other cores and start again.`,
          { cause: error },
        )
      await sleep(PAUSE_MS)
    }
  }
}

async function migrateOnce(
  database: Database,
  migrations: readonly MigrationMeta[],
  settings: MigrationSettings,
): Promise<void> {
  const isMigrated = async () => missing(migrations, await migratedUntil(database)).length === 0
  // Processes on one file wait for the transaction. A server interrupts a transaction after five seconds when another
  // writer waits: other cores must not try to write.
  const core = randomUUID()
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
  { where, onMigration, waitMs = WAIT_MS }: MigrationSettings,
): Promise<'claimed' | 'migrated'> {
  for (const began = performance.now(), state = { isReported: false }; ; ) {
    const isFree = !(await isMigrationClaimed(database, core))
    if (isFree && (await claimMigration(database, core))) return 'claimed'
    if (!state.isReported) onMigration?.('migration awaited')
    state.isReported = true
    if (performance.now() - began > waitMs)
      throw new DatabaseRefused(`Another core has not finished the migration of ${where}. Start again later.`)
    await sleep(PAUSE_MS)
    if (await isMigrated()) return 'migrated'
  }
}

const missing = (migrations: readonly MigrationMeta[], until: number): MigrationMeta[] =>
  migrations.filter(({ folderMillis }) => folderMillis > until)

/**
 * A script that applies the migrations. Its first write fails when another process has migrated since `until` was read:
 * the hash of a row must not be null. A rebuilt table needs foreign keys off.
 */
function transaction(migrations: readonly MigrationMeta[], until: number): string {
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
