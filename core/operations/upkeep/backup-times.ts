/** When backups began and ended, and when drills ended, from the audit log. */
import { lastTimeOf } from '../../metadata/audit-log/entries.ts'
import type { Database } from '../../metadata/database.ts'

/** Actions of the audit log: a backup begins, is complete, or failed; a drill found no fault. */
export const BACKUP_STARTED = 'store.backup'
export const BACKUP_COMPLETED = 'store.backup.done'
export const BACKUP_FAILED = 'store.backup.failed'
export const DRILL_COMPLETED = 'store.drill.done'

/** Microseconds since 1970; undefined for never. */
export interface BackupTimes {
  started: number | undefined
  completed: number | undefined
  failed: number | undefined
  drilled: number | undefined
}

export async function backupTimes(database: Database): Promise<BackupTimes> {
  const [started, completed, failed, drilled] = await Promise.all(
    [BACKUP_STARTED, BACKUP_COMPLETED, BACKUP_FAILED, DRILL_COMPLETED].map(action =>
      lastTimeOf(database, action),
    ),
  )
  return { started, completed, failed, drilled }
}
