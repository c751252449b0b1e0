/** All queries on events: faces of cameras in the order of their commits.
 *
 * Positions are one series of numbers for events and deliveries of all owners. Writes of a database run one after the other:
 * the numbers rise in the order of the commits. All rows up to a number that was read are committed.
 */
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, max, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Moment } from '../../../contract/limits/cameras.ts'
import { deliveries } from '../alert-schema.ts'
import type { Database } from '../database.ts'
import { events, faces } from '../schema.ts'
import { type EventFilter, eventConditions, type FriendRule } from './event-conditions.ts'
import { faceColumns, filtered, type StoredFace, withGalleries } from './faces.ts'

/** Statement that adds the events of faces, in this order. */
export function insertEvents(database: Database, owner: string, ids: readonly number[]) {
  return database
    .insert(events)
    .values(ids.map((face, i) => ({ ...(i === 0 && { seq: NEXT_POSITION }), owner, face })))
}

/** A face and the number of its event. `updated`: an earlier event has the face. `added`: the event tells of its snapshot or clip alone. */
export interface NumberedFace {
  seq: number
  face: StoredFace
  updated: boolean
  added: Moment | null
}

/** Condition: an earlier event has the same face. */
const IS_UPDATE = sql<boolean>`EXISTS (
  SELECT 1 FROM events earlier WHERE earlier.face = events.face AND earlier.seq < events.seq
)`.mapWith(Boolean)

/** Those of these events that have an earlier event of the same face. */
export async function updatesAmong(
  database: Database,
  owner: string,
  numbers: readonly number[],
): Promise<Set<number>> {
  if (numbers.length === 0) return new Set()
  const rows = await database
    .select({ seq: events.seq })
    .from(events)
    .where(and(eq(events.owner, owner), inArray(events.seq, [...numbers]), IS_UPDATE))
  return new Set(rows.map(({ seq }) => seq))
}

/** The first events of an owner above a number, oldest first. */
export async function eventsAbove(
  database: Database,
  friends: FriendRule,
  owner: string,
  filter: SightingFilter,
  { above, limit }: { above: number; limit: number },
): Promise<NumberedFace[]> {
  const rows = await database
    .select({ ...faceColumns(friends), seq: events.seq, updated: IS_UPDATE, added: events.added })
    .from(events)
    .innerJoin(faces, eq(faces.id, events.face))
    .where(and(eq(events.owner, owner), gt(events.seq, above), isSighting(database, friends, owner, filter)))
    .orderBy(asc(events.seq))
    .limit(limit)
  const found = await withGalleries(database, owner, rows)
  return found.map(({ seq, updated, added, ...face }) => ({ seq, face, updated, added }))
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

/**
 * The first number of new rows: the database's time in microseconds since 1970, or one above the greatest number that was ever
 * used. A database that was restored from a backup does not give numbers again that callers know already.
 */
export const NEXT_POSITION = sql`(max(
  coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name IN ('events', 'deliveries')), 0) + 1,
  CAST(unixepoch('subsec') * 1000000 AS INTEGER)
))`

/**
 * Marks what is stored of the moment of a face, and adds an event of the face. False when the face was deleted, or has another photo
 * by now.
 */
export async function markMoment(
  database: Database,
  { owner, id, photoHash }: Pick<StoredFace, 'owner' | 'id' | 'photoHash'>,
  kind: Moment,
): Promise<boolean> {
  const where = and(
    eq(faces.owner, owner),
    eq(faces.id, id),
    kind === 'snapshot' ? eq(faces.photoHash, photoHash) : undefined,
  )
  const [{ rowsAffected }] = await database.batch([
    database
      .update(faces)
      .set({ [kind]: true })
      .where(where),
    database.run(
      sql`INSERT INTO events (seq, owner, face, added) SELECT ${NEXT_POSITION}, owner, id, ${kind} FROM faces WHERE ${where}`,
    ),
  ])
  return rowsAffected > 0
}

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
  // One statement: a row of an owner that is committed between two would be below `newest` and not be found.
  const rows = await unionAll(
    database
      .select({ owner: events.owner, newest: max(events.seq) })
      .from(events)
      .where(gt(events.seq, above))
      .groupBy(events.owner),
    database
      .select({ owner: deliveries.owner, newest: max(deliveries.id) })
      .from(deliveries)
      .where(gt(deliveries.id, above))
      .groupBy(deliveries.owner),
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

/** The row of a face that a camera posted. */
export type StoredEvent = Omit<StoredFace, 'galleries'> & { camera: string }

/** Conditions on events. */
export interface SightingFilter extends EventFilter {
  /** A named gallery. */
  gallery?: string | undefined
}

/** Condition: a face of the owner that the filter selects. */
export const isSighting = (
  database: Database,
  friends: FriendRule,
  owner: string,
  { gallery, ...filter }: SightingFilter,
) => and(eq(faces.owner, owner), eventConditions(friends, filter), filtered(database, owner, { gallery }))

/** The history: the next events of an owner below an id, newest first. */
export async function nextEvents(
  database: Database,
  friends: FriendRule,
  owner: string,
  filter: SightingFilter,
  { below, limit }: { below: number; limit: number },
): Promise<StoredEvent[]> {
  const rows = await database
    .select(faceColumns(friends))
    .from(faces)
    .where(and(isNotNull(faces.camera), lt(faces.id, below), isSighting(database, friends, owner, filter)))
    .orderBy(desc(faces.id))
    .limit(limit)
  return rows as StoredEvent[]
}
