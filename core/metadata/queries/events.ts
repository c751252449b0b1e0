/** All queries on events: faces of cameras in the order of their commits, by a number that rises with each commit. */
import { and, asc, eq, gt, max, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { events, faces } from '../schema.ts'
import { eventConditions } from './event-filter.ts'
import { faceColumns, filtered, type StoredFace, withGalleries } from './faces.ts'
import type { FriendRule } from './friends.ts'
import type { SightingFilter } from './history.ts'

/** The database's time in microseconds since 1970. */
const NOW = sql`CAST(unixepoch('subsec') * 1000000 AS INTEGER)`

/**
 * Statement that adds the events of faces, in this order. The first number is the time, or one above the greatest number that
 * was ever used: a database that was restored from a backup does not give numbers again that callers know already.
 */
export function insertEvents(database: Database, owner: string, ids: readonly number[]) {
  const last = sql`(SELECT seq FROM sqlite_sequence WHERE name = 'events')`
  const first = sql`(max(coalesce(${last}, 0) + 1, ${NOW}))`
  return database
    .insert(events)
    .values(ids.map((face, i) => ({ ...(i === 0 && { seq: first }), owner, face })))
}

/** A face and the number of its event. */
export interface NumberedFace {
  seq: number
  face: StoredFace
}

/** The first events of an owner above a number, oldest first. */
export async function eventsAbove(
  database: Database,
  friends: FriendRule,
  owner: string,
  { gallery, ...filter }: SightingFilter,
  { above, limit }: { above: number; limit: number },
): Promise<NumberedFace[]> {
  const rows = await database
    .select({ ...faceColumns(friends), seq: events.seq })
    .from(events)
    .innerJoin(faces, eq(faces.id, events.face))
    .where(
      and(
        eq(events.owner, owner),
        eq(faces.owner, owner),
        gt(events.seq, above),
        eventConditions(friends, filter),
        filtered(database, owner, { gallery }),
      ),
    )
    .orderBy(asc(events.seq))
    .limit(limit)
  const found = await withGalleries(database, owner, rows)
  return found.map(({ seq, ...face }) => ({ seq, face }))
}

/** The greatest number of the owner's events; 0 without events. */
export async function newestEvent(database: Database, owner: string): Promise<number> {
  const [row] = await database
    .select({ seq: max(events.seq) })
    .from(events)
    .where(eq(events.owner, owner))
  return row?.seq ?? 0
}

/** The least number of the owner's events above a number; undefined when there is none. */
export async function nextEvent(
  database: Database,
  owner: string,
  above: number,
): Promise<number | undefined> {
  const [row] = await database
    .select({ seq: events.seq })
    .from(events)
    .where(and(eq(events.owner, owner), gt(events.seq, above)))
    .orderBy(asc(events.seq))
    .limit(1)
  return row?.seq
}

/** The greatest number of all events above a number, and the owners of these events. */
export async function ownersWithEvents(
  database: Database,
  above: number,
): Promise<{ newest: number; owners: string[] }> {
  const rows = await database
    .select({ owner: events.owner, newest: max(events.seq) })
    .from(events)
    .where(gt(events.seq, above))
    .groupBy(events.owner)
  return {
    newest: rows.reduce((most, { newest }) => Math.max(most, newest ?? 0), above),
    owners: rows.map(({ owner }) => owner),
  }
}

/** The greatest number of all events; 0 without events. */
export async function newestOfAll(database: Database): Promise<number> {
  const [row] = await database.select({ seq: max(events.seq) }).from(events)
  return row?.seq ?? 0
}
