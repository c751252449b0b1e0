/** Refuses a metadata schema of a later version of the service: this version would write rows that it does not know. */
import { sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { laterVersion } from '../../contract/later-version.ts'
import { DatabaseRefused } from './connection/remembered-address.ts'
import journal from './migrations/meta/_journal.json' with { type: 'json' }

/** Creation time of the last migration of this version, in Unix milliseconds. Times rise from migration to migration. */
const LAST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when))

/** The table of applied migrations. */
export const MIGRATIONS_TABLE = '__drizzle_migrations'

/** Creation time of the last applied migration, in Unix milliseconds; 0 for an empty database. */
export async function migratedUntil(database: Pick<LibSQLDatabase, 'values'>): Promise<number> {
  const table = sql`SELECT 1 FROM sqlite_schema WHERE name = ${MIGRATIONS_TABLE}`
  if ((await database.values(table)).length === 0) return 0
  const [row] = await database.values<[number | null]>(
    sql`SELECT max(created_at) FROM ${sql.identifier(MIGRATIONS_TABLE)}`,
  )
  return Number(row?.[0] ?? 0)
}

/** Throws DatabaseRefused when the database has a later migration. `where` is its path or URL. Changes nothing. */
export async function requireKnownSchema(
  database: Pick<LibSQLDatabase, 'values'>,
  where: string,
): Promise<void> {
  if ((await migratedUntil(database)) > LAST_MIGRATION) throw new DatabaseRefused(laterVersion(where))
}
