/** The metadata's connection: opened with its guarantees and its schema, and the reading of its refusals. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, LibsqlError } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { databaseKey } from '../sealing/database-key.ts'
import type { DataKey } from '../sealing/seal.ts'

export type Database = ReturnType<typeof drizzle>

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** The metadata's place in the data folder. */
const FILE = 'metadata.db'

/** How long a statement waits for another process, such as the token command, to finish its write. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * The metadata of this data folder, made and brought up to date when needed; encrypted as a whole where there is a data key.
 *
 * One connection serves everything: a second one would come without these pragmas and could meet the first as a BUSY
 * lock. So statements and batches run one after the other, and `transaction` must not be used: it would hold the
 * connection across awaits.
 */
export async function openDatabase(data: string, dataKey?: DataKey): Promise<Database> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  const file = join(data, FILE)
  const client = createClient({
    url: `file:${encodeURI(file)}`,
    concurrency: 1,
    timeout: BUSY_TIMEOUT_MS,
    ...(dataKey && { encryptionKey: databaseKey(dataKey) }),
  })
  // drizzle begins a batch as a reader; upgrading a reader fails at once when another process has written meanwhile.
  const batch = client.batch.bind(client)
  client.batch = statements => batch(statements, 'write')
  const database = drizzle(client)
  try {
    for (const pragma of [
      'journal_mode = WAL',
      'synchronous = FULL',
      'foreign_keys = ON',
      'secure_delete = ON',
      // What is sorted in a file of its own would lie there in the clear.
      ...(dataKey ? ['temp_store = MEMORY'] : []),
    ]) {
      await database.run(sql.raw(`PRAGMA ${pragma}`))
    }
    await migrate(database, { migrationsFolder: MIGRATIONS })
  } catch (error) {
    client.close()
    throw error
  }
  return database
}

/** Resolves when the database answers, and rejects when it does not. */
export async function ping(database: Database): Promise<void> {
  await database.run(sql`SELECT 1`)
}

/** Folds the journal back into the file and lets go of it. */
export async function closeDatabase(database: Database): Promise<void> {
  await database.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  database.$client.close()
}

/** The same, and leaves one file: nothing else works in this folder. */
export async function closeAsOneFile(database: Database): Promise<void> {
  await database.run(sql`PRAGMA journal_mode = DELETE`)
  database.$client.close()
}

/** Which kind of constraint a failed statement broke, and which statement of its batch that was (0 outside one). */
export interface BrokenConstraint {
  kind: 'unique' | 'reference'
  statement: number
}

/** What this error says about a broken constraint, or undefined when it is about something else. */
export function brokenConstraint(error: unknown): BrokenConstraint | undefined {
  if (!(error instanceof LibsqlError)) {
    return error instanceof Error && error.cause !== undefined ? brokenConstraint(error.cause) : undefined
  }
  const statement = 'statementIndex' in error ? Number(error.statementIndex) : 0
  switch (error.extendedCode) {
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_UNIQUE':
      return { kind: 'unique', statement }
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return { kind: 'reference', statement }
    default:
      return undefined
  }
}
