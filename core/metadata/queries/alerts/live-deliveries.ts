/** The deliveries that live streams show. */
import { and, asc, eq, exists, gt, isNull, or, sql } from 'drizzle-orm'
import { alerts, deliveries } from '../../alert-schema.ts'
import type { Database } from '../../database.ts'
import { faces } from '../../schema.ts'
import { eventConditions } from '../event-filter.ts'
import { filtered } from '../faces.ts'
import type { FriendRule } from '../friends.ts'
import type { SightingFilter } from '../history.ts'
import type { NamedDelivery } from './deliveries.ts'

/** The first deliveries of an owner above a position, oldest first: those about faces of the filter, and tests. */
export const deliveriesAbove = (
  database: Database,
  friends: FriendRule,
  owner: string,
  { gallery, ...filter }: SightingFilter,
  { above, limit }: { above: number; limit: number },
): Promise<NamedDelivery[]> => {
  const shown = database
    .select({ one: sql`1` })
    .from(faces)
    .where(
      and(
        eq(faces.owner, owner),
        eq(faces.id, deliveries.face),
        eventConditions(friends, filter),
        filtered(database, owner, { gallery }),
      ),
    )
  return database
    .select({
      id: deliveries.id,
      alert: deliveries.alert,
      name: alerts.name,
      face: deliveries.face,
      event: deliveries.event,
      matches: deliveries.matches,
    })
    .from(deliveries)
    .innerJoin(alerts, eq(alerts.id, deliveries.alert))
    .where(
      and(
        eq(deliveries.owner, owner),
        eq(alerts.owner, owner),
        gt(deliveries.id, above),
        or(isNull(deliveries.face), exists(shown)),
      ),
    )
    .orderBy(asc(deliveries.id))
    .limit(limit)
}
