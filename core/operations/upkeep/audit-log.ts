/** The audit log as a service writes it: what happens at one time is one transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import { ServiceError } from '../../contract/errors.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import type { AuditEvent } from '../../metadata/audit-log/chain.ts'
import { insertEntries } from '../../metadata/audit-log/entries.ts'
import type { Database } from '../../metadata/database.ts'

/** Writes one happening down. On the disk when it resolves; rejects with SERVICE_UNAVAILABLE when that can't be done. */
export type AuditRecorder = (happening: AuditEvent) => Promise<void>

/** What has happened is written down on a full disk, too. */
export function auditLog({
  database,
  diskSpace,
  now,
}: {
  database: Database
  diskSpace: DiskSpace
  now(): number
}): AuditRecorder {
  let waiting: AuditEvent[] = []
  let next: Promise<void> | undefined
  let before: Promise<void> = Promise.resolve()

  /** Waits for the transaction before it, and takes what has come until then. */
  async function write(): Promise<void> {
    await before
    await turn()
    const these = waiting
    waiting = []
    next = undefined
    try {
      await diskSpace.deleting(() => insertEntries(database, these, now()))
    } catch (cause) {
      throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
    }
  }

  return happening => {
    waiting.push(happening)
    if (!next) {
      next = write()
      before = next.catch(() => {})
    }
    return next
  }
}
