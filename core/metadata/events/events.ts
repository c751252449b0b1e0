/** All queries on events: faces of cameras in the order of their commits. */
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, max, sql } from 'drizzle-orm'
import type { FootageKind } from '../../../contract/limits/cameras.ts'
import type { Database } from '../database.ts'
import { type EventFilter, eventConditions, type FriendRule, isFriend } from '../faces/event-conditions.ts'
import { faceColumns, filterOf, type StoredFace, withGalleries } from '../faces/faces.ts'
import { NEXT_POSITION } from '../positions.ts'
import { events, faces } from '../schema.ts'
import { selectInSteps } from '../select-in-steps.ts'

/** Statement that adds the events of faces, in this order. */
export function insertEvents(database: Database, owner: string, ids: readonly number[]) {
  return database
    .insert(events)
    .values(ids.map((face, i) => ({ ...(i === 0 && { seq: NEXT_POSITION }), owner, face })))
}

/** A face and the number of its event. `updated`: an earlier event has the face. `added`: the event is only about its snapshot or clip. */
export interface NumberedFace {
  seq: number
  face: StoredFace
  updated: boolean
  added: FootageKind | null
}

/** Condition: an earlier event has the same face. */
const IS_UPDATE = sql<boolean>`EXISTS (
  SELECT 1 FROM events earlier WHERE earlier.face = events.face AND earlier.seq < events.seq
)`.mapWith(Boolean)

/** Numbers of the events, among these, that follow an earlier event of the same face. */
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
  { friend, ...filter }: SightingFilter,
  { above, limit }: { above: number; limit: number },
): Promise<NumberedFace[]> {
  const listed = and(eq(events.owner, owner), isSighting(database, friends, owner, filter))
  const rows = await selectInSteps<Omit<NumberedFace, 'face'> & StoredFace>(
    isFriend(friends, friend),
    limit,
    {
      owner,
      id: events.seq,
      columns: { ...faceColumns(friends), seq: events.seq, updated: IS_UPDATE, added: events.added },
      after: (seq = above) => and(listed, gt(events.seq, seq)),
      select: (columns, where, most) =>
        database
          .select(columns)
          .from(events)
          .innerJoin(faces, eq(faces.id, events.face))
          .where(where)
          .orderBy(asc(events.seq))
          .limit(most),
    },
  )
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
 * Marks the stored footage of a face, and adds an event of the face. False when the face was deleted, or has another photo
 * by now.
 */
export async function markFootage(
  database: Database,
  { owner, id, photoHash }: Pick<StoredFace, 'owner' | 'id' | 'photoHash'>,
  kind: FootageKind,
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

/** The row of a face that a camera posted. */
export type StoredEvent = Omit<StoredFace, 'galleries'> & { camera: string }

/** Conditions on events. */
export interface SightingFilter extends EventFilter {
  /** A named gallery. */
  gallery?: string
}

/** Condition: a face of the owner that the filter selects. */
export const isSighting = (
  database: Database,
  friends: FriendRule,
  owner: string,
  { gallery, ...filter }: SightingFilter,
) => and(eq(faces.owner, owner), eventConditions(friends, filter), filterOf(database, owner, { gallery }))

/** The history: the next events of an owner below an id, newest first. */
export function nextEvents(
  database: Database,
  friends: FriendRule,
  owner: string,
  { friend, ...filter }: SightingFilter,
  { below, limit }: { below: number; limit: number },
): Promise<StoredEvent[]> {
  const listed = and(isNotNull(faces.camera), isSighting(database, friends, owner, filter))
  return selectInSteps(isFriend(friends, friend), limit, {
    owner,
    id: faces.id,
    columns: faceColumns(friends),
    after: (id = below) => and(listed, lt(faces.id, id)),
    select: (columns, where, most) =>
      database.select(columns).from(faces).where(where).orderBy(desc(faces.id)).limit(most),
  })
}
