/** What operators do by commands, as the audit log tells of it: also while the service runs. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { closeDatabase, METADATA_FILE, type MetadataSettings, openDatabase } from '../database.ts'
import type { AuditEvent } from './chain.ts'
import { insertEntries } from './entries.ts'

export type Operation = Omit<AuditEvent, 'actor'>

/** The account of the machine that this process runs under. */
export function operator(): string {
  try {
    return `operator ${userInfo().username}`
  } catch {
    // In a container there may be a number alone.
    return `operator ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Writes down what an operator did with this data folder; a folder that was never served has no log, and gets none. */
export async function writeOperation(
  data: string,
  operation: Operation,
  settings: MetadataSettings = {},
): Promise<void> {
  if (!settings.database && !existsSync(join(data, METADATA_FILE))) return
  const database = await openDatabase(data, settings)
  try {
    await insertEntries(database, [{ ...operation, actor: operator() }])
  } finally {
    await closeDatabase(database)
  }
}
