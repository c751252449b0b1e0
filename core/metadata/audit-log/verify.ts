/** The check of the audit log: that it is as it was written, from its beginning or from where it was pruned to its end. */

import type { Database } from '../database.ts'
import { BEGINNING, faultAfter, type Link } from './chain.ts'
import { auditEntries, entryAt, lastEntry, prunedLinks } from './entries.ts'

export interface AuditCheck {
  entries: number
  /** The newest entry that is right, or the beginning: kept elsewhere, it proves what came before it. */
  head: Link
  /** The first thing that is wrong. */
  fault?: string
}

/**
 * Reads the whole log. `kept` is the head as it was at an earlier time, kept where whoever can write to the log cannot: without
 * it, a log that was cut at its end, or written anew as a whole, looks right.
 */
export async function verifyAudit(database: Database, kept?: Link): Promise<AuditCheck> {
  let head: Link = BEGINNING
  let entries = 0
  const wrong = (fault: string): AuditCheck => ({ entries, head, fault })
  for await (const entry of auditEntries(database)) {
    const before = entries === 0 ? await linkBefore(database, entry.seq) : head
    const fault = faultAfter(before, entry)
    if (fault) return wrong(fault)
    head = { seq: entry.seq, hash: entry.hash }
    entries++
  }
  const fault = kept && (await faultOfKept(database, kept))
  return fault ? wrong(fault) : { entries, head }
}

/** What the oldest entry follows: the beginning, or the link that was pruned. */
async function linkBefore(database: Database, seq: number): Promise<Link> {
  const pruned = (await prunedLinks(database)).find(link => link.seq === seq - 1)
  return pruned ?? BEGINNING
}

async function faultOfKept(database: Database, kept: Link): Promise<string | undefined> {
  const entry = await entryAt(database, kept.seq)
  if (entry) return entry.hash === kept.hash ? undefined : `entry ${kept.seq} is not the one that was kept`
  const last = await lastEntry(database)
  if (!last || last.seq < kept.seq)
    return `the entries after ${last?.seq ?? 0} are gone: ${kept.seq} was there`
  const pruned = (await prunedLinks(database)).some(({ seq, hash }) => seq === kept.seq && hash === kept.hash)
  return pruned ? undefined : `entry ${kept.seq} was pruned: check against a newer one`
}
