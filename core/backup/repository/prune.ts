/** Removes old backups of a repository, and pieces that no backup uses. */
import { type KeepRule, keptTimes } from './keep.ts'
import type { Held } from './lock.ts'
import type { BackupRecord } from './record.ts'
import type { Repository } from './repository.ts'

export interface Pruned {
  /** Numbers of removed backups and pieces. */
  backups: number
  pieces: number
  /** Times of backups later than the clock. While there are any, nothing is removed. */
  future: string[]
}

/**
 * Removes the backups that the rule does not keep, and then all pieces without a backup, also those of failed backups. A
 * record is removed before its pieces. `record` is the new backup. Removes nothing while backups are later than it: one of the
 * clocks was wrong.
 */
export async function prune(
  repository: Repository,
  held: Held,
  { record, keep, now }: { record: BackupRecord; keep: KeepRule; now: number },
): Promise<Pruned> {
  const { pieces, backups } = held.holdings
  const future = backups.filter(made => Date.parse(made) > now)
  if (future.length > 0) return { backups: 0, pieces: 0, future }
  const times = new Map([...backups, record.made].map(made => [Date.parse(made), made]))
  const kept = keptTimes([...times.keys()], keep, now)
  const used = new Set(record.pieces)
  const removed: string[] = []
  for (const [time, made] of times) {
    if (!kept.has(time)) removed.push(made)
    else if (made !== record.made)
      for (const piece of (await repository.readRecord(made)).pieces) used.add(piece)
  }
  for (const made of removed) {
    held.requireHeld()
    await repository.removeRecord(made)
  }
  held.requireHeld()
  const unused = [...pieces].filter(name => !used.has(name))
  await repository.removePieces(unused)
  return { backups: removed.length, pieces: unused.length, future: [] }
}
