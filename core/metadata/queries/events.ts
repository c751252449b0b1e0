/** All queries on events: faces of cameras in the order of their commits, by their positions (positions.ts). */
import { and, asc, eq, gt, max } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { events, faces } from '../schema.ts'
import { eventConditions } from './event-filter.ts'
import { faceColumns, filtered, type StoredFace, withGalleries } from './faces.ts'
import type { FriendRule } from './friends.ts'
import type { SightingFilter } from './history.ts'
import { NEXT_POSITION } from './positions.ts'

/** Statement that adds the events of faces, in this order. */
export function insertEvents(database: Database, owner: string, ids: readonly number[]) {
  return database
    .insert(events)
    .values(ids.map((face, i) => ({ ...(i === 0 && { seq: NEXT_POSITION }), owner, face })))
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
