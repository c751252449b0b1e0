/** The log of the edge: one JSON object per line. A request has one line, or is counted when its code exceeds its allowance. */
import { environment } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { type RateAllowance, rateAllowance } from '../../contract/rate-allowance.ts'
import type { Outcome } from '../metrics.ts'

export const log = (entry: Record<string, unknown>): void => {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.error(JSON.stringify({ time: new Date(environment.now()).toISOString(), ...entry }))
}

/** Log fields of a request. They contain no input of the caller, except a request id that the caller chose. */
export interface RequestLine extends Outcome {
  request_id: string
  status: number
  method: string
  /** Pattern of the path, for example `/v0/face/id/:id`. */
  route: string
  /** Id of the owner; undefined before authentication. */
  owner?: string
  /** Faces found on the photos of the request; undefined without a photo. */
  faces?: number
  /** Type and source location of an internal error. */
  cause?: string
}

interface RequestLogOptions {
  write(entry: Record<string, unknown>): void
  /** Runs `work` after `ms` milliseconds, even without further requests. */
  later(ms: number, work: () => void): void
  /** False: only refusals are logged. */
  logsAll: boolean
  /** Clock in Unix milliseconds. */
  now?: () => number
}

/** Returns a function that logs one request. Each code has its own allowance: many invalid tokens do not hide other requests. */
export function requestLog({ write, later, logsAll, now = environment.now }: RequestLogOptions) {
  const allowances = new Map<string, RateAllowance>()
  const counts = new Map<string, number>()
  let since = 0

  const allowanceOf = (code: string): RateAllowance => {
    const known =
      allowances.get(code) ?? rateAllowance(EDGE_LIMITS.requestLinesPerSecond, EDGE_LIMITS.requestLinesAtOnce)
    allowances.set(code, known)
    return known
  }

  const writeCounts = () => {
    if (counts.size === 0) return
    write({
      event: 'requests not listed',
      since: new Date(since).toISOString(),
      counts: Object.fromEntries(counts),
    })
    counts.clear()
  }

  return (line: RequestLine): void => {
    const isRefusal = line.code !== 'OK'
    if (!isRefusal && !logsAll) return
    const at = now()
    const allowance = allowanceOf(line.code)
    if (allowance.wait(at) === 0) {
      allowance.spend(at)
      write({ event: isRefusal ? 'refused' : 'request', ...line })
    } else {
      if (counts.size === 0) {
        since = at
        later(EDGE_LIMITS.requestCountMs, writeCounts)
      }
      counts.set(line.code, (counts.get(line.code) ?? 0) + 1)
    }
    // The runtime drops the callback when it ends the request that scheduled it.
    if (at - since >= 2 * EDGE_LIMITS.requestCountMs) writeCounts()
  }
}
