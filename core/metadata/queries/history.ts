/** All queries on history: the faces that cameras posted. Each takes the owner and sees only that owner's faces. */
import { and, desc, eq, gte, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces } from '../schema.ts'
import { type FaceRow, faceColumns, filtered } from './faces.ts'
import { type FriendRule, friendBy } from './friends.ts'

/** The row of a face that a camera posted. */
export type StoredEvent = FaceRow & { camera: string; friend: boolean }

/** Conditions on events. An absent field and an empty list are no condition. */
export interface EventFilter {
  personId?: number | undefined
  cameras: readonly string[]
  /** Microseconds since 1970; both bounds are included. */
  start?: number | undefined
  end?: number | undefined
  friend?: boolean | undefined
  /** A named gallery. */
  gallery?: string | undefined
}

/** The SQL condition of a filter on faces, without its gallery. */
export const eventConditions = (
  friends: FriendRule,
  { personId, cameras, start, end, friend }: Omit<EventFilter, 'gallery'>,
) =>
  and(
    personId === undefined ? undefined : eq(faces.personId, personId),
    cameras.length === 0 ? undefined : inArray(faces.camera, [...cameras]),
    start === undefined ? undefined : gte(faces.timestamp, start),
    end === undefined ? undefined : lte(faces.timestamp, end),
    friend === undefined ? undefined : sql`${friendBy(friends)} = ${Number(friend)}`,
  )

/** The next events of an owner below an id, newest first. */
export async function nextEvents(
  database: Database,
  friends: FriendRule,
  owner: string,
  { gallery, ...filter }: EventFilter,
  { below, limit }: { below: number; limit: number },
): Promise<StoredEvent[]> {
  const rows = await database
    .select(faceColumns(friends))
    .from(faces)
    .where(
      and(
        eq(faces.owner, owner),
        isNotNull(faces.camera),
        lt(faces.id, below),
        eventConditions(friends, filter),
        filtered(database, owner, { gallery }),
      ),
    )
    .orderBy(desc(faces.id))
    .limit(limit)
  return rows as StoredEvent[]
}
