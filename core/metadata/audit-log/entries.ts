/** The audit log: all queries on it. Entries are added at its end, in their order, by any process. */
import { asc, desc, eq, gt, lt, lte } from 'drizzle-orm'
import { brokenConstraint } from '../connection/constraints.ts'
import type { Database } from '../database.ts'
import { audit } from '../schema.ts'
import { type AuditEntry, type AuditEvent, BEGINNING, chained, type Link, PRUNED } from './chain.ts'

/** The newest entry. */
export async function lastEntry(database: Database): Promise<AuditEntry | undefined> {
  const [entry] = await database.select().from(audit).orderBy(desc(audit.seq)).limit(1)
  return entry
}

/**
 * Writes all of these down, in one transaction; on the disk when it resolves. Another process that was quicker has taken
 * the number: then they follow its entries. `now` is in Unix milliseconds.
 */
export async function insertEntries(
  database: Database,
  happenings: readonly AuditEvent[],
  now: number = Date.now(),
): Promise<void> {
  for (;;) {
    const last = await lastEntry(database)
    try {
      await database.insert(audit).values(chained(last ?? BEGINNING, happenings, now * 1000))
      return
    } catch (error) {
      if (brokenConstraint(error)?.kind !== 'unique') throw error
    }
  }
}

/** The next entries above a number, in their order. */
export const nextEntries = (database: Database, above: number, limit: number): Promise<AuditEntry[]> =>
  database.select().from(audit).where(gt(audit.seq, above)).orderBy(asc(audit.seq)).limit(limit)

/** Entries that are read at once. */
const STRIDE = 1_000

/** All entries, in their order. */
export async function* auditEntries(database: Database): AsyncGenerator<AuditEntry> {
  for (let above = -1; ; ) {
    const page = await nextEntries(database, above, STRIDE)
    const last = page.at(-1)
    if (!last) return
    yield* page
    above = last.seq
  }
}

/** The entry of this number. */
export async function entryAt(database: Database, seq: number): Promise<AuditEntry | undefined> {
  const [entry] = await database.select().from(audit).where(eq(audit.seq, seq))
  return entry
}

/** Deletes what was written before a time (Unix milliseconds), and writes down that it was; the newest such entry's number. */
export async function prune(database: Database, before: number, by: string): Promise<number | undefined> {
  const [last] = await database
    .select()
    .from(audit)
    .where(lt(audit.time, before * 1000))
    .orderBy(desc(audit.seq))
    .limit(1)
  if (!last) return undefined
  await insertEntries(database, [{ actor: by, action: PRUNED, subject: { upTo: last.seq, hash: last.hash } }])
  await database.delete(audit).where(lte(audit.seq, last.seq))
  return last.seq
}

/** The links that entries say were pruned. */
export async function prunedLinks(database: Database): Promise<Link[]> {
  const rows = await database.select().from(audit).where(eq(audit.action, PRUNED))
  return rows.map(({ subject }) => {
    const { upTo, hash } = JSON.parse(subject) as { upTo: number; hash: string }
    return { seq: upTo, hash }
  })
}
