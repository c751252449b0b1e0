/** Usage of tokens: time of last use and rate limits. Kept in memory; times are stored periodically. */
import { ServiceError } from '../../../contract/errors.ts'
import { TOKEN_LIMITS } from '../../../contract/limits/tokens.ts'
import { type RateAllowance, rateAllowance } from '../../../contract/rate-allowance.ts'
import { recordTokenUse } from '../../metadata/access/tokens.ts'
import type { Database } from '../../metadata/database.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'

/** In-memory usage of tokens. */
export interface TokenUsage {
  /** Records a use of a token. `now` is in Unix milliseconds. */
  note(token: string, now: number): void
  /** Counts a request against the rate `perSecond`. Throws RATE_LIMITED with `retryAfter`; the request is not counted then. */
  count(token: string, perSecond: number, now: number): void
  /** Returns and clears the uses since the last call: token -> time. The caller stores them. */
  taken(): Map<string, number>
}

/** Callers pass valid tokens only, which bounds the memory by the number of tokens. */
export function tokenUsage(): TokenUsage {
  const allowances = new Map<string, { perSecond: number; allowance: RateAllowance }>()
  let uses = new Map<string, number>()
  return {
    note: (token, now) => void uses.set(token, now),
    count(token, perSecond, now) {
      let kept = allowances.get(token)
      if (kept?.perSecond !== perSecond) kept = { perSecond, allowance: rateAllowance(perSecond) }
      allowances.set(token, kept)
      const wait = kept.allowance.wait(now)
      if (wait > 0) throw new ServiceError('RATE_LIMITED', { retryAfter: Math.ceil(wait) })
      kept.allowance.spend(now)
    },
    taken() {
      const all = uses
      uses = new Map()
      return all
    },
  }
}

/** Stores the times of last use. After an error the uses are recorded again for the next call. */
export async function writeTokenUsage(database: Database, tokens: TokenUsage): Promise<void> {
  const uses = tokens.taken()
  const [first, ...rest] = [...uses].map(([token, ms]) => recordTokenUse(database, token, ms * 1000))
  if (!first) return
  try {
    await database.batch([first, ...rest])
  } catch (error) {
    for (const [token, ms] of uses) tokens.note(token, ms)
    throw error
  }
}

/** Stores the times every `everyMs`, and once more on `stop`. No request waits for it. */
export function storeTokenUsageRepeatedly(
  { database, tokenUsage }: { database: Database; tokenUsage: TokenUsage },
  failed: (error: unknown) => void,
  everyMs: number = TOKEN_LIMITS.usesEveryMs,
): RepeatedTask {
  const write = () => writeTokenUsage(database, tokenUsage).catch(failed)
  const writing = repeatedly(everyMs, write)
  return {
    async stop() {
      await writing.stop()
      await write()
    },
  }
}
