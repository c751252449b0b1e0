/** All queries on history: the faces that cameras posted. Each takes the owner and sees only that owner's faces. */
import { and, desc, eq, isNotNull, lt } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { faces } from '../schema.ts'
import { type EventFilter, eventConditions } from './event-filter.ts'
import { type FaceRow, faceColumns } from './faces.ts'
import type { FriendRule } from './friends.ts'

/** The row of a face that a camera posted. */
export type StoredEvent = FaceRow & { camera: string; friend: boolean }

/** The next events of an owner below an id, newest first. */
export async function nextEvents(
  database: Database,
  friends: FriendRule,
  owner: string,
  filter: EventFilter,
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
      ),
    )
    .orderBy(desc(faces.id))
    .limit(limit)
  return rows as StoredEvent[]
}
