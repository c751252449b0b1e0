/** Verifies the hash chain of the audit log: as a whole, or in parts. */
import type { Database } from '../database.ts'
import { CHAIN_START, faultAfter, type Link } from './chain.ts'
import { ENTRIES_PER_QUERY, entryAt, lastEntry, nextEntries, prunedBefore, prunedLinks } from './entries.ts'

interface AuditCheck {
  entries: number
  /** Link of the newest valid entry, or the beginning. A copy that is kept elsewhere proves the entries up to it. */
  head: Link
  /** The first fault found. */
  fault?: string
}

/**
 * Reads the whole log. `kept` is an earlier head, stored out of reach of writers of the log. Without `kept`, a log that
 * was truncated or rewritten as a whole passes the check.
 */
export async function verifyAudit(database: Database, kept?: Link): Promise<AuditCheck> {
  let head: Link | undefined
  for (let entries = 0; ; ) {
    const next = await verifyNext(database, head, ENTRIES_PER_QUERY)
    entries += next.entries
    head = next.head
    const isAtEnd = next.fault === undefined && next.entries === 0
    const fault = isAtEnd && kept ? await faultOfKept(database, kept) : next.fault
    if (fault !== undefined) return { entries, head, fault }
    if (isAtEnd) return { entries, head }
  }
}

/**
 * Verifies at most `limit` entries after a link that was verified before, or from the oldest entry on. Entries after the link
 * may have been pruned.
 */
export async function verifyNext(
  database: Database,
  after: Link | undefined,
  limit: number,
): Promise<AuditCheck> {
  const page = await nextEntries(database, after?.seq ?? -1, limit)
  let head = after ?? CHAIN_START
  let entries = 0
  for (const entry of page) {
    if (entries === 0 && entry.seq !== head.seq + 1) head = (await prunedBefore(database, entry.seq)) ?? head
    const fault = faultAfter(head, entry)
    if (fault) return { entries, head, fault }
    head = { seq: entry.seq, hash: entry.hash }
    entries++
  }
  return { entries, head }
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
