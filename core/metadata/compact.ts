/** Compaction of the metadata: the file is written anew, so that nothing of a deleted row is left in it or beside it. */
import { sql } from 'drizzle-orm'
import type { DataKey } from '../encryption/encrypt.ts'
import { openDatabase } from './database.ts'

/**
 * What SQLite needs for it meanwhile is kept in memory: a temporary file would lie outside of the folder. Throws an Error
 * when another process reads the metadata, whose journal then still has what was there.
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
