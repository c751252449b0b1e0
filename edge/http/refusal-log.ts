/** The lines of the edge's log about refusals: one for each, or a count where there are too many of one code. */

import { LIMITS } from '../../core/contract/limits.ts'
import { type RateAllowance, rateAllowance } from '../../core/contract/rate-allowance.ts'

/** What is written of a refusal: nothing that the caller wrote but the id, which may be theirs. */
export interface RefusalLine {
  request_id: string
  status: number
  code: string
  method: string
  /** The pattern of the path: `/v0/face/id/:id`. */
  route: string
  /** Kind and place of a fault of ours. */
  cause?: string
}

export interface RefusalLogOptions {
  write(entry: Record<string, unknown>): void
  /** Calls back after this time in milliseconds, also when no other request comes. */
  later(ms: number, work: () => void): void
  /** Unix milliseconds. */
  now?: () => number
}

/** Each code has its own allowance: a flood of wrong tokens does not hide other refusals. */
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
      event: 'refused, not listed',
      since: new Date(since).toISOString(),
      counts: Object.fromEntries(counts),
    })
    counts.clear()
  }

  return (line: RefusalLine): void => {
    const at = now()
    const left = allowanceOf(line.code)
    if (left.wait(at) === 0) {
      left.spend(at)
      write({ event: 'refused', ...line })
    } else {
      if (counts.size === 0) {
        since = at
        later(LIMITS.refusalCountMs, writeCounts)
      }
      counts.set(line.code, (counts.get(line.code) ?? 0) + 1)
    }
    // The callback is lost with the request that it belongs to.
    if (at - since >= 2 * LIMITS.refusalCountMs) writeCounts()
  }
}
