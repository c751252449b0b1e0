/** Tokens in use: when each was used last, and what is left of its allowance. Kept in memory, and written down now and then. */

import { ServiceError } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type RateAllowance, rateAllowance } from '../../contract/rate-allowance.ts'
import type { Database } from '../../metadata/database.ts'
import { recordTokenUse } from '../../metadata/queries/tokens.ts'
import { type RepeatedTask, repeatedly } from './repeatedly.ts'

export interface TokenUsage {
  /** Notes that a token was used; times are Unix milliseconds. */
  note(token: string, now: number): void
  /**
   * Counts a request of a token with so many a second. Throws RATE_LIMITED, which says when there is one again, without
   * counting it.
   */
  count(token: string, perSecond: number, now: number): void
  /** The uses that were not asked for yet: token -> time. From then on they are somebody else's business. */
  taken(): Map<string, number>
}

/** Valid tokens alone are noted and counted, so that there are never more than an operator has made. */
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

/** Writes down when tokens were used last. What can't be written is noted again, for the next time. */
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

/** Does so once a minute, and once more when it is stopped: no request waits for it. */
export function keepTokenUsage(
  { database, tokenUsage }: { database: Database; tokenUsage: TokenUsage },
  failed: (error: unknown) => void,
  everyMs: number = LIMITS.usesEveryMs,
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
