/** Parses times as operators type them (`90d`, `12h`, `2027-01-31`), and formats times for output. */
import { TOKEN_LIMITS } from '../../contract/limits/tokens.ts'
import { parseTimestamp, timestampText } from '../../contract/timestamps.ts'
import { UsageError } from './command-line.ts'

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Microseconds since 1970 -> ISO 8601 in UTC, with the zone, for programs; null stays null. */
export const isoTime = (micros: number | null): string | null =>
  micros === null ? null : `${timestampText(micros)}Z`

/** Microseconds since 1970 -> day and minute in UTC, for tables. */
export const minuteText = (micros: number): string => timestampText(micros).slice(0, 16).replace('T', ' ')

/** A number and s, m, h or d -> milliseconds. Throws UsageError that names the option. */
export function durationMs(text: string, option: string): number {
  const ms = duration(text)
  if (ms === undefined) throw new UsageError(`${option} takes a time such as 24h or 90d, not "${text}".`)
  return ms
}

/**
 * A duration from now on, or a day or time of ISO 8601 (UTC) -> microseconds since 1970. Throws UsageError, also for
 * the past and beyond the longest life of a token.
 */
export function endOf(text: string, now: number): number {
  const ms = duration(text)
  const end = ms === undefined ? parseTimestamp(text) : (now + ms) * 1000
  if (end === undefined)
    throw new UsageError(`--expires takes a time such as 90d, or a day such as 2027-01-31, not "${text}".`)
  if (end <= now * 1000 || end > (now + TOKEN_LIMITS.lifeMs) * 1000)
    throw new UsageError(`--expires takes a time to come, within the next 100 years, not "${text}".`)
  return end
}

/** Milliseconds; undefined when the text is not a duration. At most five digits: more digits are a typing error. */
function duration(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? []
  return unit === undefined ? undefined : Number(number) * UNITS[unit as keyof typeof UNITS]
}
