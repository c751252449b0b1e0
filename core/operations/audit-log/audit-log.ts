/** Writes the audit log: events, and counts of failed authentications. Reports its head. */
import { environment } from '../../../contract/environment.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import type { AuditEvent, Link } from '../../metadata/audit-log/chain.ts'
import { insertEntries, lastEntry } from '../../metadata/audit-log/entries.ts'
import { isDatabaseUnavailable } from '../../metadata/connection/availability.ts'
import { noteUnknown, noteWritten, outsideChange } from '../../metadata/connection/change.ts'
import type { Database } from '../../metadata/database.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'

/** An entry cannot be written. */
export class AuditLogUnavailable extends ServiceError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', {}, { cause })
  }
}

/** Writes one event. Resolves when it is durable. Rejects with AuditLogUnavailable. */
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
  async function write() {
    await before
    await environment.turn()
    const these = waiting
    waiting = []
    next = undefined
    try {
      await diskSpace.deleting(() => insertEntries(database, these, now()))
    } catch (cause) {
      throw new AuditLogUnavailable(cause)
    }
  }

  return happening => {
    waiting.push(happening)
    if (!next) {
      // The entries belong to several requests: the end of one request must not delay the entries of others.
      next = outsideChange(write)
      before = next.catch(() => {})
    }
    return next.then(noteWritten, error => {
      if (isDatabaseUnavailable(error)) noteUnknown()
      throw error
    })
  }
}

/** Place of the failure: the token or session of a caller, a sign-in, the signature of an edge, or the token of a store operator. */
export type AuthenticationPoint = 'token' | 'sign-in' | 'edge' | 'operator'

/** Counter of failed authentications. */
interface FailedAuthentications {
  count(door: AuthenticationPoint): void
  /** Writes one entry with the counts since the last call, if there are any. */
  insertEntries(): Promise<void>
}

/** Creates a counter that records in the audit log. */
export function failedAuthentications({ record }: { record: AuditRecorder }): FailedAuthentications {
  let counts: Partial<Record<AuthenticationPoint, number>> = {}
  return {
    count(door) {
      counts[door] = (counts[door] ?? 0) + 1
    },
    async insertEntries() {
      const subject = counts
      if (Object.keys(subject).length === 0) return
      counts = {}
      await record({ actor: 'service', action: 'authentication.failed', subject })
    },
  }
}

/** Writes the counts repeatedly, and reports a changed head. Copies of the head elsewhere reveal a rewritten audit log. */
export function auditRepeatedly(
  { database }: { database: Database },
  refusals: FailedAuthentications,
  tell: { head(link: Link): void; failed(error: unknown): void },
): RepeatedTask {
  let reportedSeq = 0
  return repeatedly(STORE_LIMITS.refusalsEveryMs, async () => {
    try {
      await refusals.insertEntries()
      const last = await lastEntry(database)
      if (last && last.seq !== reportedSeq) tell.head({ seq: last.seq, hash: last.hash })
      reportedSeq = last?.seq ?? 0
    } catch (error) {
      tell.failed(error)
    }
  })
}
