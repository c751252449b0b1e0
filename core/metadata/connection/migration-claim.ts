/** All queries on the claim of the one core that migrates the schema of a database with several cores. */
import { sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { NOW } from '../database-clock.ts'

type Database = Pick<LibSQLDatabase, 'values' | 'run'>

/**
 * Lifetime of a claim in milliseconds: longer than a migration may take (MIGRATION_MS of database.ts). A claim cannot be
 * renewed, because the migration holds the write lock. A core that is killed delays the others for this long.
 */
const CLAIM_MS = 130_000

/** Whether another core has a valid claim. Reads only: a write would interrupt the migration of that core. */
export async function isMigrationClaimed(database: Database, core: string): Promise<boolean> {
  const tables = await database.values(sql`SELECT 1 FROM sqlite_schema WHERE name = 'migration_claim'`)
  if (tables.length === 0) return false
  const claims = sql`SELECT 1 FROM migration_claim WHERE core <> ${core} AND ends > ${NOW}`
  return (await database.values(claims)).length > 0
}

/** Claims the migration for this core unless another core has a valid claim. Resolves to whether it has the claim. */
export async function claimMigration(database: Database, core: string): Promise<boolean> {
  await database.run(
    sql`CREATE TABLE IF NOT EXISTS migration_claim (one INTEGER PRIMARY KEY CHECK (one = 1), core TEXT NOT NULL, ends INTEGER NOT NULL)`,
  )
  const { rowsAffected } = await database.run(sql`
    INSERT INTO migration_claim (one, core, ends) VALUES (1, ${core}, ${NOW} + ${CLAIM_MS})
    ON CONFLICT (one) DO UPDATE SET core = excluded.core, ends = excluded.ends
    WHERE migration_claim.core = excluded.core OR migration_claim.ends <= ${NOW}`)
  return rowsAffected > 0
}

/** Gives up the claim of this core. */
export async function releaseMigration(database: Database, core: string): Promise<void> {
  await database.run(sql`DELETE FROM migration_claim WHERE core = ${core}`)
}
