/** All queries on the audit log. Any process appends entries in sequence order. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, lt, lte, sql } from 'drizzle-orm'
import { AUDIT_OBJECTS } from '../../../contract/audit-objects.ts'
import { environment } from '../../../contract/environment.ts'
import { type Database, METADATA_FILE, type MetadataSettings, withDatabase } from '../database.ts'
import { brokenConstraint } from '../revisions.ts'
import { audit } from '../schema.ts'
import { selectInSteps } from '../select-in-steps.ts'
import { type AuditEntry, type AuditEvent, CHAIN_START, chainEntries, type Link, PRUNE } from './chain.ts'

/** The newest entry. */
export async function lastEntry(database: Database): Promise<AuditEntry | undefined> {
  const [entry] = await database.select().from(audit).orderBy(desc(audit.seq)).limit(1)
  return entry
}

/**
 * Appends these events in one transaction. They are durable when the promise resolves. When another process takes the
 * next sequence number first, the events follow its entries. `now` is in Unix milliseconds.
 */
export async function insertEntries(
  database: Database,
  events: readonly AuditEvent[],
  now: number = environment.now(),
): Promise<void> {
  for (;;) {
    const last = await lastEntry(database)
    try {
      await database.insert(audit).values(chainEntries(last ?? CHAIN_START, events, now * 1000))
      return
    } catch (error) {
      if (brokenConstraint(error)?.kind !== 'unique') throw error
    }
  }
}

/** The next entries above a sequence number, ascending. */
export const nextEntries = (database: Database, above: number, limit: number): Promise<AuditEntry[]> =>
  database.select().from(audit).where(gt(audit.seq, above)).orderBy(asc(audit.seq)).limit(limit)

/** Conditions on entries; absent fields are none. Times are microseconds since 1970, both included. */
interface AuditFilter {
  /** The beginning of the actor, up to its name. */
  actor?: string
  action?: string
  /** A word of AUDIT_OBJECTS and an id. */
  object?: string
  start?: number
  end?: number
}

function hasObject(object: string) {
  const [word = '', value] = object.split(' ')
  const words = AUDIT_OBJECTS[word] ?? []
  const places = words.map(key => sql`(part.path = '$' AND part.key = ${key}) OR part.path = ${`$.${key}`}`)
  // The text is searched first: a tree for each entry of a long log takes six times as long.
  return sql`instr(${audit.subject}, ${value}) AND EXISTS (
    SELECT 1 FROM json_tree(${audit.subject}) AS part
    WHERE CAST(part.atom AS TEXT) = ${value} AND (${sql.join(places, sql` OR `)})
  )`
}

/** The newest entries of an owner below a sequence number, descending. */
export function entriesOf(
  database: Database,
  { actor, action, object, start, end }: AuditFilter,
  { owner, below, limit }: { owner: string; below: number; limit: number },
): Promise<AuditEntry[]> {
  const condition = and(
    actor === undefined ? undefined : sql`${audit.actor} || ' ' LIKE ${`${actor} %`}`,
    action === undefined ? undefined : eq(audit.action, action),
    object === undefined ? undefined : hasObject(object),
    start === undefined ? undefined : gte(audit.time, start),
    end === undefined ? undefined : lte(audit.time, end),
  )
  return selectInSteps(condition, limit, {
    owner,
    id: audit.seq,
    columns: getTableColumns(audit),
    after: (seq = below) => and(eq(audit.owner, owner), lt(audit.seq, seq)),
    select: (columns, where, most) =>
      database.select(columns).from(audit).where(where).orderBy(desc(audit.seq)).limit(most),
  })
}

/** Entries per query. */
export const ENTRIES_PER_QUERY = 1_000

/** All entries, ascending. */
export async function* auditEntries(database: Database): AsyncGenerator<AuditEntry> {
  for (let above = -1; ; ) {
    const page = await nextEntries(database, above, ENTRIES_PER_QUERY)
    const last = page.at(-1)
    if (!last) return
    yield* page
    above = last.seq
  }
}

/** The entry with this sequence number. */
export async function entryAt(database: Database, seq: number): Promise<AuditEntry | undefined> {
  const [entry] = await database.select().from(audit).where(eq(audit.seq, seq))
  return entry
}

/**
 * Deletes the entries from before a time (Unix milliseconds) and records the pruning. Returns the sequence number of
 * the newest deleted entry; undefined when there is none.
 */
export async function prune(database: Database, before: number, by: string): Promise<number | undefined> {
  const [last] = await database
    .select()
    .from(audit)
    .where(lt(audit.time, before * 1000))
    .orderBy(desc(audit.seq))
    .limit(1)
  if (!last) return undefined
  await insertEntries(database, [{ actor: by, action: PRUNE, subject: { upTo: last.seq, hash: last.hash } }])
  await database.delete(audit).where(lte(audit.seq, last.seq))
  return last.seq
}

/** The links that pruning entries recorded. */
export async function prunedLinks(database: Database): Promise<Link[]> {
  const rows = await database.select().from(audit).where(eq(audit.action, PRUNE))
  return rows.map(({ subject }) => {
    const { upTo, hash } = JSON.parse(subject) as { upTo: number; hash: string }
    return { seq: upTo, hash }
  })
}

/** The pruned link that an entry follows. */
export const prunedBefore = async (database: Database, seq: number): Promise<Link | undefined> =>
  (await prunedLinks(database)).find(link => link.seq === seq - 1)

export type Operation = Omit<AuditEvent, 'actor'>

/** Actor name of this process: `operator` and the account name, or the user id when the account has no name. */
export function operator(): string {
  try {
    return `operator ${userInfo().username}`
  } catch {
    // A container can run under a user id without an account.
    return `operator ${process.getuid?.() ?? 'unknown'}`
  }
}

/**
 * Records an operator's command in the audit log of this data folder. A folder that was never served has no log and
 * gets none.
 */
export async function writeOperation(
  data: string,
  operation: Operation,
  settings: MetadataSettings,
): Promise<void> {
  if (!settings.database && !existsSync(join(data, METADATA_FILE))) return
  await withDatabase(data, settings, database =>
    insertEntries(database, [{ ...operation, actor: operator() }]),
  )
}

/** Actions of the audit log: a backup is asked for, begins, is complete, or failed; a drill found no fault. */
export const BACKUP_REQUESTED = 'store.backup.request'
export const BACKUP_STARTED = 'store.backup'
export const BACKUP_COMPLETED = 'store.backup.done'
export const BACKUP_FAILED = 'store.backup.failed'
export const DRILL_COMPLETED = 'store.drill.done'

/**
 * The end of a backup or a drill. Its subject has the time of the clock. The time of the entry is later than all earlier entries,
 * also when a clock was ahead.
 */
export const endNow = (action: string): Operation => ({ action, subject: { at: environment.now() * 1000 } })

const BACKUP_ACTIONS = {
  requested: BACKUP_REQUESTED,
  started: BACKUP_STARTED,
  completed: BACKUP_COMPLETED,
  failed: BACKUP_FAILED,
  drilled: DRILL_COMPLETED,
} as const

/** Microseconds since 1970; absent for never. */
export type BackupTimes = Partial<Record<keyof typeof BACKUP_ACTIONS, number | undefined>>

/**
 * When backups were asked for, began and ended, and when drills ended. An entry is later than those before it: times of a clock
 * that was ahead are lowered.
 */
export async function backupTimes(database: Database): Promise<BackupTimes> {
  const found = await Promise.all(
    Object.entries(BACKUP_ACTIONS).map(async ([name, action]) => ({
      name,
      last: await lastOf(database, action),
    })),
  )
  const times: Record<string, number> = {}
  let next = Number.POSITIVE_INFINITY
  for (const { name, last } of found.sort((a, b) => (b.last?.seq ?? 0) - (a.last?.seq ?? 0))) {
    if (!last) continue
    next = Math.min(last.time, next - 1)
    times[name] = next
  }
  return times
}

/** The newest entry with this action about no owner. Its time is the subject's time, if the subject has one: microseconds since 1970. */
async function lastOf(
  database: Database,
  action: string,
): Promise<{ seq: number; time: number } | undefined> {
  const [entry] = await database
    .select({ seq: audit.seq, time: sql<number>`coalesce(${audit.subject} ->> 'at', ${audit.time})` })
    .from(audit)
    .where(and(isNull(audit.owner), eq(audit.action, action)))
    .orderBy(desc(audit.seq))
    .limit(1)
  return entry
}
