/** Removes old backups of a repository by a rule, and pieces that no backup uses. `24h,7d,4w` keeps hourly, daily and weekly backups. */
import type { Held } from './lock.ts'
import type { BackupRecord } from './record.ts'
import type { Repository } from './repository.ts'

export interface Pruned {
  /** Numbers of removed backups and pieces. */
  backups: number
  pieces: number
  /** Times of backups later than the clock, and messages that name damaged records. While there are any, nothing is removed. */
  future: string[]
  damaged: string[]
}

/**
 * Removes the backups that the rule does not keep, then all pieces without a backup, also pieces of failed backups. A record is
 * removed before its pieces. `record` is the new backup. Removes nothing when a backup is later than `record`, because a clock was
 * wrong. Removes nothing while a record is damaged, because it may need any piece.
 */
export async function prune(
  repository: Repository,
  held: Held,
  { record, keep, now }: { record: BackupRecord; keep: KeepRule; now: number },
): Promise<Pruned> {
  const { pieces, backups } = held.inventory
  const future = backups.filter(made => Date.parse(made) > now)
  const kept = keptTimes([...backups, record.made].map(Date.parse), keep, now)
  const unused = new Set(pieces)
  const removed: string[] = []
  const damaged: string[] = []
  const sort = ({ made, pieces }: BackupRecord) => {
    if (!kept.has(Date.parse(made))) removed.push(made)
    else for (const piece of pieces) unused.delete(piece)
  }
  // A record of a million faces has many thousand names: one at a time is in memory.
  for await (const one of repository.readRecords(backups)) {
    if (typeof one === 'string') damaged.push(one)
    else sort(one)
  }
  sort(record)
  if (future.length + damaged.length > 0) return { backups: 0, pieces: 0, future, damaged }
  for (const made of removed) {
    held.requireHeld()
    await repository.removeRecord(made)
  }
  held.requireHeld()
  await repository.removePieces([...unused])
  return { backups: removed.length, pieces: unused.size, future, damaged }
}

const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** One part of a rule: the newest backup of each of the last `count` hours, days or weeks. */
interface KeepPart {
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

/** The times (Unix milliseconds) of this list that the rule keeps. Hours, days and weeks are in UTC, counted from 1970. */
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
