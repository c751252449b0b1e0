/** All queries on history, the faces that cameras posted, with the friend rule. Each takes the owner and sees only that owner's faces. */
import { and, desc, eq, isNotNull, lt } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces } from '../schema.ts'
import { type EventFilter, eventConditions, type FriendRule } from './event-conditions.ts'
import { type FaceRow, faceColumns, filtered } from './faces.ts'

/** The row of a face that a camera posted. */
export type StoredEvent = FaceRow & { camera: string; friend: boolean }

/** Conditions on events. */
export interface SightingFilter extends EventFilter {
  /** A named gallery. */
  gallery?: string | undefined
}

/** The next events of an owner below an id, newest first. */
export async function nextEvents(
  database: Database,
  friends: FriendRule,
  owner: string,
  { gallery, ...filter }: SightingFilter,
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
