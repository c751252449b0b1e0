/** The audit log as a service writes it: what happens at one time is one transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import { ServiceError } from '../../contract/errors.ts'
import type { Room } from '../../files/disk-space.ts'
import type { Happening } from '../../metadata/audit-log/chain.ts'
import { writeDown } from '../../metadata/audit-log/entries.ts'
import type { Database } from '../../metadata/database.ts'

/** Writes one happening down. On the disk when it resolves; rejects with SERVICE_UNAVAILABLE when that can't be done. */
export type Record = (happening: Happening) => Promise<void>

/** What has happened is written down on a full disk, too. */
export function auditLog({ database, room, now }: { database: Database; room: Room; now(): number }): Record {
  let waiting: Happening[] = []
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
      await room.deleting(() => writeDown(database, these, now()))
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
