/** Compaction of the metadata: the file is written anew, so that nothing of a deleted row is left in it or beside it. */
import { sql } from 'drizzle-orm'
import type { DataKey } from '../sealing/seal.ts'
import { closeAsOneFile, openDatabase } from './database.ts'

/**
 * Nobody else works in the data folder. What SQLite needs for it meanwhile is kept in memory: a temporary file would lie
 * outside of the folder.
 */
export async function compactMetadata(data: string, dataKey?: DataKey): Promise<void> {
  const database = await openDatabase(data, dataKey)
  try {
    await database.run(sql`PRAGMA temp_store = MEMORY`)
    await database.run(sql`VACUUM`)
  } finally {
    await closeAsOneFile(database)
  }
}
