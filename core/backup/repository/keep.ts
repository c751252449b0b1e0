/** The rule of which backups a repository keeps: `24h,7d,4w` keeps hourly, daily and weekly ones. */

const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** One part of a rule: the newest backup of each of the last `count` hours, days or weeks. */
export interface KeepPart {
  count: number
  unitMs: number
}

export type KeepRule = readonly KeepPart[]

/** The rule without --keep. */
export const KEEP_DEFAULT = '24h,7d,4w'

/** Newest backups that are kept at any age: a clock that jumps ahead makes all others look old. */
export const ALWAYS_KEPT = 3

/** Most parts of a rule: one per unit. */
const MOST_PARTS = 3

/** Parses a rule; undefined when it is invalid. Each unit appears at most once. */
export function keepRule(text: string): KeepRule | undefined {
  const parts = text.split(',')
  const found = parts.map(part => /^([1-9]\d{0,2})([hdw])$/.exec(part))
  const units = new Set(found.map(match => match?.[2]))
  if (parts.length > MOST_PARTS || units.size < parts.length || found.includes(null)) return undefined
  return found.map(match => ({
    count: Number(match![1]),
    unitMs: UNITS[match![2] as keyof typeof UNITS],
  }))
}

/** The times (Unix milliseconds) of this list that the rule keeps. Hours, days and weeks are those of UTC since 1970. */
export function keptTimes(times: readonly number[], rule: KeepRule, now: number): Set<number> {
  const newestFirst = [...new Set(times)].sort((a, b) => b - a)
  const kept = new Set(newestFirst.slice(0, ALWAYS_KEPT))
  for (const { count, unitMs } of rule) {
    const last = Math.floor(now / unitMs)
    const seen = new Set<number>()
    for (const time of newestFirst) {
      const span = Math.floor(time / unitMs)
      if (span <= last - count || seen.has(span)) continue
      seen.add(span)
      kept.add(time)
    }
  }
  return kept
}
