/** What the audit log tells now and then: failed authentications, counted together, and its own head. */
import { LIMITS } from '../../contract/limits.ts'
import type { Link } from '../../metadata/audit-log/chain.ts'
import { lastEntry } from '../../metadata/audit-log/entries.ts'
import type { Services } from '../services.ts'
import { type RepeatedTask, repeatedly } from './repeatedly.ts'

/** Where it failed: a token that nobody has, a question that no edge signed, an operator of the store. */
export type AuthenticationPoint = 'token' | 'edge' | 'operator'

export interface FailedAuthentications {
  count(door: AuthenticationPoint): void
  /** Writes down what was counted since the last time, if anything was: a flood of them is one entry. */
  insertEntries(): Promise<void>
}

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

/** Writes them down every so often, and tells the head where it has moved: what is told elsewhere, nobody can rewrite here. */
export function keepAuditing(
  { database }: Pick<Services, 'database'>,
  refusals: FailedAuthentications,
  tell: { head(link: Link): void; failed(error: unknown): void },
  everyMs: number = LIMITS.refusalsEveryMs,
): RepeatedTask {
  let told = 0
  return repeatedly(everyMs, async () => {
    try {
      await refusals.insertEntries()
      const last = await lastEntry(database)
      if (last && last.seq !== told) tell.head({ seq: last.seq, hash: last.hash })
      told = last?.seq ?? 0
    } catch (error) {
      tell.failed(error)
    }
  })
}
