/** Timestamps: UTC with six decimals and no zone, as in `2017-05-17T08:58:00.930572`. */

/** A calendar date, a week date or an ordinal date, and a time. The + of a zone arrives as a space from a query that leaves it unencoded. */
const ISO =
  /^(\d{4})-?(?:(\d{2})-?(\d{2})|W(\d{2})(?:-?(\d))?|(\d{3}))(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+ -]\d{2}(?::?\d{2})?)?)?$/i

/** Years 0000 to 9999: the times that timestampText can write. */
const FIRST_TIME = -62_167_219_200 * 1e6
const LAST_TIME = 253_402_300_799 * 1e6

/** Formats microseconds since 1970. */
export function timestampText(micros: number): string {
  const millis = Math.floor(micros / 1000)
  const rest = String(micros - millis * 1000).padStart(3, '0')
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}`
}

/**
 * Parses ISO 8601 text to microseconds since 1970. Undefined for another format or a day that does not exist.
 * A missing zone means UTC, a missing day of a week Monday. Digits after the sixth decimal are dropped. 24:00 and a leap second are
 * the next day and minute.
 */
export function parseTimestamp(text: string): number | undefined {
  const parts = ISO.exec(text.trim())
  if (!parts) return undefined
  const [, year, month, day, week, weekday = '1', ordinal] = parts
  const [hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts.slice(7)
  const [y, h, mi, s] = [year, hour, minute, second].map(Number) as [number, number, number, number]
  const date = week ? weekDate(y, Number(week), Number(weekday)) : calendarDate(y, month, day ?? ordinal)
  if (date === undefined || h > 24 || (h === 24 && mi + s > 0) || mi > 59 || s > 60) return undefined
  const offset = zoneMinutes(zone)
  if (offset === undefined) return undefined
  const seconds = date.getTime() / 1000 + h * 3600 + (mi - offset) * 60 + s
  const micros = seconds * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6))
  return Math.min(LAST_TIME, Math.max(FIRST_TIME, micros))
}

/** A day of a month, or of the year without a month. Undefined for a day that does not exist. */
function calendarDate(year: number, month: string | undefined, day: string | undefined): Date | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, Number(month ?? 1) - 1, Number(day))
  const exists =
    month === undefined ? date.getUTCFullYear() === year : date.getUTCMonth() === Number(month) - 1
  return exists ? date : undefined
}

/** A day of a week. The first week has the first Thursday of the year, and January 4. Undefined for a week that does not exist. */
function weekDate(year: number, week: number, weekday: number): Date | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, 0, 4)
  const thursday = 4 - (date.getUTCDay() || 7) + 4 + 7 * (week - 1)
  date.setUTCDate(thursday)
  if (date.getUTCFullYear() !== year || weekday < 1 || weekday > 7) return undefined
  date.setUTCDate(date.getUTCDate() + weekday - 4)
  return date
}

/** `+05:30` -> 330. Undefined above 14 hours or 59 minutes. */
function zoneMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  return hours > 14 || minutes > 59 ? undefined : sign * (hours * 60 + minutes)
}
