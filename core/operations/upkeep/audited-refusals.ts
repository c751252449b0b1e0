/** Periodic audit tasks: entries with counts of failed authentications, and log lines with the head of the audit log. */
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import type { Link } from '../../metadata/audit-log/chain.ts'
import { lastEntry } from '../../metadata/audit-log/entries.ts'
import type { Services } from '../services.ts'
import { type RepeatedTask, repeatedly } from './repeatedly.ts'

/** Place of the failure: the token of a caller, the signature of an edge, or the token of a store operator. */
export type AuthenticationPoint = 'token' | 'edge' | 'operator'

/** Counter of failed authentications. */
export interface FailedAuthentications {
  count(door: AuthenticationPoint): void
  /** Writes one entry with the counts since the last call, if there are any. */
  insertEntries(): Promise<void>
}

/** Creates a counter that records in the audit log. */
export function failedAuthentications({ record }: Pick<Services, 'record'>): FailedAuthentications {
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

/** Writes the counts every `everyMs`, and reports a changed head. Copies of the head elsewhere reveal a rewritten audit log. */
export function keepAuditing(
  { database }: Pick<Services, 'database'>,
  refusals: FailedAuthentications,
  tell: { head(link: Link): void; failed(error: unknown): void },
  everyMs: number = STORE_LIMITS.refusalsEveryMs,
): RepeatedTask {
  let reportedSeq = 0
  return repeatedly(everyMs, async () => {
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
