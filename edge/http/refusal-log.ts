/** Logs refusals of the edge: one line per refusal, or a count when one code exceeds its allowance. */

import { LIMITS } from '../../core/contract/limits.ts'
import { type RateAllowance, rateAllowance } from '../../core/contract/rate-allowance.ts'

/** Log fields of a refusal. They contain no input of the caller, except a request id that the caller chose. */
export interface RefusalLine {
  request_id: string
  status: number
  code: string
  method: string
  /** Pattern of the path, for example `/v0/face/id/:id`. */
  route: string
  /** Type and source location of an internal error. */
  cause?: string
}

export interface RefusalLogOptions {
  write(entry: Record<string, unknown>): void
  /** Runs `work` after `ms` milliseconds, even without further requests. */
  later(ms: number, work: () => void): void
  /** Clock in Unix milliseconds. */
  now?: () => number
}

/** Returns a function that logs one refusal. Each code has its own allowance: many invalid tokens do not hide other refusals. */
export function refusalLog({ write, later, now = Date.now }: RefusalLogOptions) {
  const allowances = new Map<string, RateAllowance>()
  const counts = new Map<string, number>()
  let since = 0

  const allowanceOf = (code: string): RateAllowance => {
    const known =
      allowances.get(code) ?? rateAllowance(LIMITS.refusalLinesPerSecond, LIMITS.refusalLinesAtOnce)
    allowances.set(code, known)
    return known
  }

  const writeCounts = (): void => {
    if (counts.size === 0) return
    write({
      event: 'refusals suppressed',
      since: new Date(since).toISOString(),
      counts: Object.fromEntries(counts),
    })
    counts.clear()
  }

  return (line: RefusalLine): void => {
    const at = now()
    const allowance = allowanceOf(line.code)
    if (allowance.wait(at) === 0) {
      allowance.spend(at)
      write({ event: 'refused', ...line })
    } else {
      if (counts.size === 0) {
        since = at
        later(LIMITS.refusalCountMs, writeCounts)
      }
      counts.set(line.code, (counts.get(line.code) ?? 0) + 1)
    }
    // The runtime drops the callback when it ends the request that scheduled it.
    if (at - since >= 2 * LIMITS.refusalCountMs) writeCounts()
  }
}
