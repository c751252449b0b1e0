/**
 * Positions: one series of numbers for events and deliveries of all owners. A database writes in sequence: the numbers rise in the
 * order of the commits. All rows up to a number that was read are committed.
 */
import { eq, gt, max, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { deliveries } from './alerts/schema.ts'
import type { Database } from './database.ts'
import { events } from './schema.ts'

/**
 * The first number of new rows: the database's time in microseconds since 1970, or one above the greatest number that was ever
 * used. A database that was restored from a backup does not give numbers again that callers know already.
 */
export const NEXT_POSITION = sql`(max(
  coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name IN ('events', 'deliveries')), 0) + 1,
  CAST(unixepoch('subsec') * 1000000 AS INTEGER)
))`

/** The greatest position of the owner's events and deliveries; 0 without any. */
export async function newestPosition(database: Database, owner: string): Promise<number> {
  const [event] = await database
    .select({ newest: max(events.seq) })
    .from(events)
    .where(eq(events.owner, owner))
  const [delivery] = await database
    .select({ newest: max(deliveries.id) })
    .from(deliveries)
    .where(eq(deliveries.owner, owner))
  return Math.max(event?.newest ?? 0, delivery?.newest ?? 0)
}

/** The greatest position of all owners above a number, else the number; and the owners of the rows above it. */
export async function ownersAbove(
  database: Database,
  above: number,
): Promise<{ newest: number; owners: string[] }> {
  // One statement: a row of an owner that is committed between two would be below `newest` and not be found. Without the pluses,
  // SQLite reads all rows, along the indexes on the owners.
  const rows = await unionAll(
    database
      .select({ owner: events.owner, newest: max(events.seq) })
      .from(events)
      .where(gt(events.seq, above))
      .groupBy(sql`+${events.owner}`),
    database
      .select({ owner: deliveries.owner, newest: max(deliveries.id) })
      .from(deliveries)
      .where(gt(deliveries.id, above))
      .groupBy(sql`+${deliveries.owner}`),
  )
  return {
    newest: rows.reduce((most, { newest }) => Math.max(most, newest ?? 0), above),
    owners: [...new Set(rows.map(({ owner }) => owner))],
  }
}

/** The greatest position of all owners; 0 without any. */
export async function newestOfAll(database: Database): Promise<number> {
  const [event] = await database.select({ seq: max(events.seq) }).from(events)
  const [delivery] = await database.select({ seq: max(deliveries.id) }).from(deliveries)
  return Math.max(event?.seq ?? 0, delivery?.seq ?? 0)
}
