/** Compacts the metadata: rewrites the database file to remove the content of deleted rows. */
import { sql } from 'drizzle-orm'
import type { DataKey } from '../encryption/encrypt.ts'
import { openDatabase } from './database.ts'

/**
 * SQLite keeps its intermediate data in memory: a temporary file would lie outside the data folder. Throws an Error
 * when another process reads the metadata: its journal then still holds the deleted rows.
 */
export async function compactMetadata(data: string, dataKey?: DataKey): Promise<void> {
  const database = await openDatabase(data, { dataKey })
  try {
    await database.run(sql`PRAGMA temp_store = MEMORY`)
    await database.run(sql`VACUUM`)
    const { rows } = await database.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    if (Number(rows[0]?.busy) !== 0) throw new Error('Another process reads the metadata. Try again.')
  } finally {
    database.$client.close()
  }
}
