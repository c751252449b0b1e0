/** All queries on the alerts of an owner as people see them: a list with filters, and marks of who saw them. */
import { and, desc, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import type { SightingFilter } from '../events/events.ts'
import type { FriendRule } from '../faces/event-conditions.ts'
import { selectInSteps } from '../select-in-steps.ts'
import {
  alertsWith,
  COLUMNS,
  IS_ALERT,
  isAbout,
  isDelivery,
  type NamedDelivery,
  type StoredDelivery,
} from './deliveries.ts'
import { alerts, deliveries } from './schema.ts'

interface HistoryPage {
  alert?: string
  event?: number
  seen?: boolean
  maxId?: number
  limit: number
}

/** Alerts below an id, newest first: about faces of the filter. A gallery belongs to the face or to the rule. */
export function alertHistory(
  database: Database,
  friends: FriendRule,
  owner: string,
  { gallery, ...filter }: SightingFilter,
  { alert, event, seen, maxId, limit }: HistoryPage,
) {
  const isListed = and(
    eq(deliveries.owner, owner),
    alert === undefined ? undefined : eq(deliveries.alert, alert),
    event === undefined ? undefined : eq(deliveries.event, event),
    seen === undefined ? undefined : seen ? isNotNull(deliveries.seen) : isNull(deliveries.seen),
  )
  const isSelected = and(
    isAbout(database, friends, owner, filter),
    gallery === undefined
      ? undefined
      : or(
          sql`json_extract(${alerts.conditions}, '$.gallery') = ${gallery}`,
          isAbout(database, friends, owner, { cameras: [], gallery }),
        ),
  )
  return selectInSteps<NamedDelivery & Pick<StoredDelivery, 'created' | 'seen' | 'seenBy'>>(
    isSelected,
    limit,
    {
      owner,
      id: deliveries.id,
      columns: { ...COLUMNS, created: deliveries.created, seen: deliveries.seen, seenBy: deliveries.seenBy },
      after: (id = maxId) => and(isListed, id === undefined ? undefined : lt(deliveries.id, id)),
      select: (columns, where, most) =>
        database
          .select(columns)
          .from(deliveries)
          .innerJoin(alerts, alertsWith(owner))
          .where(where)
          .orderBy(desc(deliveries.id))
          .limit(most),
    },
  )
}

/** The number of unseen alerts. */
export const unseenCount = (database: Database, owner: string): Promise<number> =>
  database.$count(
    deliveries,
    and(eq(deliveries.owner, owner), isNull(deliveries.seen), IS_ALERT, isNotNull(deliveries.face)),
  )

/**
 * Marks an alert as seen by the bearer of a token or session, or takes the mark back. The first mark stays. `earlier` marks all
 * unseen alerts before it, too. Undefined for an unknown alert: then nothing is marked.
 */
export async function markSeen(
  database: Database,
  owner: string,
  { id, seen, by, earlier = false }: { id: number; seen: number | null; by: string; earlier?: boolean },
): Promise<Pick<StoredDelivery, 'seen' | 'seenBy'> | undefined> {
  const name = sql`(SELECT name FROM tokens WHERE tokens.owner = ${owner} AND tokens.id = ${by})`
  const mark =
    seen === null
      ? { seen: null, seenBy: null }
      : { seen: sql`coalesce(seen, ${seen})`, seenBy: sql`iif(seen IS NULL, ${name}, seen_by)` }
  const [marked] = await database
    .update(deliveries)
    .set(mark)
    .where(and(isDelivery(owner, id), IS_ALERT))
    .returning({ seen: deliveries.seen, seenBy: deliveries.seenBy })
  if (marked && earlier)
    await database
      .update(deliveries)
      .set(mark)
      .where(and(eq(deliveries.owner, owner), lt(deliveries.id, id), isNull(deliveries.seen), IS_ALERT))
  return marked
}
