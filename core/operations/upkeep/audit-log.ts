/** Writes the audit log. Concurrent events share one transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import { ServiceError } from '../../../contract/errors.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import type { AuditEvent } from '../../metadata/audit-log/chain.ts'
import { insertEntries } from '../../metadata/audit-log/entries.ts'
import type { Database } from '../../metadata/database.ts'

/** Writes one event. Resolves when it is durable. Rejects with SERVICE_UNAVAILABLE when it cannot be written. */
export type AuditRecorder = (happening: AuditEvent) => Promise<void>

/** Events are also written on a full disk, from the reserve. */
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

  /** Waits for the previous transaction, then writes all events that have arrived. */
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
