/** Audit log entries for operators' commands, also while the service runs. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { closeDatabase, METADATA_FILE, type MetadataSettings, openDatabase } from '../database.ts'
import type { AuditEvent } from './chain.ts'
import { insertEntries } from './entries.ts'

export type Operation = Omit<AuditEvent, 'actor'>

/** Actor name of this process: `operator` and the account name, or the user id when the account has no name. */
export function operator(): string {
  try {
    return `operator ${userInfo().username}`
  } catch {
    // A container can run under a user id without an account.
    return `operator ${process.getuid?.() ?? 'unknown'}`
  }
}

/**
 * Records an operator's command in the audit log of this data folder. A folder that was never served has no log and
 * gets none.
 */
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
