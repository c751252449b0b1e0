/** All queries on deliveries: the outbox of messages to webhooks, which live streams show too. */
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lt,
  lte,
  ne,
  not,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { OWNER_NOT_DELETED } from '../access/owners.ts'
import type { Database } from '../database.ts'
import { isSighting, type SightingFilter } from '../events/events.ts'
import type { FriendRule } from '../faces/event-conditions.ts'
import type { FaceRow } from '../faces/faces.ts'
import { NEXT_POSITION } from '../positions.ts'
import { faces, owners } from '../schema.ts'
import { selectInSteps } from '../select-in-steps.ts'
import { alerts, deliveries } from './schema.ts'

export type StoredDelivery = typeof deliveries.$inferSelect

/** A delivery without its id and its person, which are assigned when it is inserted. */
export type NewDelivery = Pick<
  StoredDelivery,
  'alert' | 'face' | 'event' | 'matches' | 'created' | 'state' | 'due' | 'ended' | 'subscription'
>

/** A delivery and the name of its rule. */
export type NamedDelivery = Pick<StoredDelivery, 'id' | 'alert' | 'face' | 'event' | 'matches'> & {
  name: string
}

/** Written without a parameter: SQLite then uses the partial indexes. */
const PENDING = sql`${deliveries.state} = 'pending'`

/** The alert itself, not its notification in a browser. */
export const IS_ALERT = isNull(deliveries.subscription)

/** Condition: this delivery of the owner. */
export const isDelivery = (owner: string, id: number) =>
  and(eq(deliveries.owner, owner), eq(deliveries.id, id))

/** Statement that inserts deliveries, in this order. Each gets the present person of its face. */
export function insertDeliveries(database: Database, owner: string, added: readonly NewDelivery[]) {
  return database.insert(deliveries).values(
    added.map((delivery, i) => ({
      ...(i === 0 && { id: NEXT_POSITION }),
      ...delivery,
      person: sql`(SELECT person_id FROM faces WHERE faces.owner = ${owner} AND faces.id = ${delivery.face})`,
      owner,
    })),
  )
}

/** The number of pending deliveries of each of these rules without notifications; rules without any are left out. */
export async function pendingCounts(
  database: Database,
  owner: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database
    .select({ alert: deliveries.alert, count: count() })
    .from(deliveries)
    .where(and(eq(deliveries.owner, owner), inArray(deliveries.alert, [...ids]), PENDING, IS_ALERT))
    .groupBy(deliveries.alert)
  return new Map(rows.map(row => [row.alert, row.count]))
}

/** The face of the newest delivery of a rule about a person; undefined without one. */
export async function lastFaceOf(
  database: Database,
  owner: string,
  alert: string,
  person: string,
): Promise<number | undefined> {
  const [row] = await database
    .select({ face: deliveries.face })
    .from(deliveries)
    .where(and(eq(deliveries.owner, owner), eq(deliveries.alert, alert), eq(deliveries.person, person)))
    .orderBy(desc(deliveries.id))
    .limit(1)
  return row?.face ?? undefined
}

/**
 * The face of the newest delivery of a rule whose first match is the same person or face, by the key of `keyOfMatch`. `since`
 * bounds the ids: the index on the owner is sorted by ids, and the plus makes SQLite use this index.
 */
export async function lastFaceMatching(
  database: Database,
  owner: string,
  alert: string,
  { key, since }: { key: string; since: number },
): Promise<number | undefined> {
  const matched = sql`(
    SELECT coalesce(matched.person_id, 'face ' || matched.id) FROM faces matched
    WHERE matched.owner = ${owner} AND matched.id = ${deliveries.matches} ->> '$[0].face'
  )`
  const [row] = await database
    .select({ face: deliveries.face })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.owner, owner),
        gt(deliveries.id, since),
        sql`+${deliveries.alert} = ${alert}`,
        sql`${matched} = ${key}`,
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(1)
  return row?.face ?? undefined
}

/** Identifies the person of a match in a gallery, else the face alone. Several people can have one meta. */
export const keyOfMatch = ({ id, personId }: Pick<FaceRow, 'id' | 'personId'>): string =>
  personId === null ? `face ${id}` : JSON.stringify(personId)

/** The persons of a rule's deliveries about a face, as JSON; null for those without a person. */
export async function alertedPersons(
  database: Database,
  owner: string,
  { alert, face }: { alert: string; face: number },
): Promise<(string | null)[]> {
  const rows = await database
    .select({ person: deliveries.person })
    .from(deliveries)
    .where(and(eq(deliveries.owner, owner), eq(deliveries.alert, alert), eq(deliveries.face, face)))
  return rows.map(({ person }) => person)
}

/** A page of the deliveries of a rule in descending order of their ids. */
export const deliveryPage = (
  database: Database,
  owner: string,
  {
    alert,
    state,
    maxId,
    limit,
  }: { alert: string; state?: StoredDelivery['state']; maxId?: number; limit: number },
): Promise<StoredDelivery[]> =>
  database
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.owner, owner),
        eq(deliveries.alert, alert),
        state && eq(deliveries.state, state),
        maxId === undefined ? undefined : lt(deliveries.id, maxId),
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(limit)

export async function deliveryById(
  database: Database,
  owner: string,
  id: number,
): Promise<StoredDelivery | undefined> {
  const [delivery] = await database.select().from(deliveries).where(isDelivery(owner, id))
  return delivery
}

/**
 * Makes a delivery pending, due now, or when the lease of a core that sends it ends. Undefined when the rule does not have the
 * delivery, or the receiver has accepted it.
 */
export async function retryDelivery(
  database: Database,
  owner: string,
  { alert, id, now }: { alert: string; id: number; now: number },
): Promise<StoredDelivery | undefined> {
  // Without a fault, a core may be sending it.
  const lease = sql`min(${deliveries.due}, ${now + ALERT_LIMITS.deliveryLeaseMs})`
  const due = sql`iif(${deliveries.fault} IS NULL, ${lease}, ${now})`
  const [delivery] = await database
    .update(deliveries)
    .set({ state: 'pending', due, since: null, ended: null })
    .where(and(isDelivery(owner, id), eq(deliveries.alert, alert), ne(deliveries.state, 'delivered')))
    .returning()
  return delivery
}

/** Condition: due at `now` (Unix milliseconds), or later than any wait for an attempt: the clock was ahead then. */
const isDue = (now: number) =>
  or(lte(deliveries.due, now), gt(deliveries.due, now + ALERT_LIMITS.deliveryRetriesMs))

/** Owners with pending deliveries that are due at `now` (Unix milliseconds). */
export async function ownersWithDue(database: Database, now: number): Promise<string[]> {
  const rows = await database
    .selectDistinct({ owner: deliveries.owner })
    .from(deliveries)
    .innerJoin(owners, and(eq(owners.id, deliveries.owner), OWNER_NOT_DELETED))
    .where(and(PENDING, isDue(now)))
  return rows.map(({ owner }) => owner)
}

/**
 * The owner's deliveries that can be sent at `now`, the longest due first. Their rules are enabled and not in `except`. The rule
 * has no earlier pending delivery to the same receiver about the same person.
 */
export async function dueDeliveries(
  database: Database,
  owner: string,
  now: number,
  { except, limit }: { except: readonly string[]; limit: number },
): Promise<StoredDelivery[]> {
  const earlier = alias(deliveries, 'earlier')
  const waitsFor = database
    .select({ one: sql`1` })
    .from(earlier)
    .where(
      and(
        eq(earlier.owner, owner),
        eq(earlier.alert, deliveries.alert),
        eq(earlier.person, deliveries.person),
        sql`${earlier.subscription} IS ${deliveries.subscription}`,
        sql`${earlier.state} = 'pending'`,
        lt(earlier.id, deliveries.id),
      ),
    )
  const enabled = database
    .select({ one: sql`1` })
    .from(alerts)
    .where(and(eq(alerts.owner, owner), eq(alerts.id, deliveries.alert), eq(alerts.enabled, true)))
  return database
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.owner, owner),
        PENDING,
        isDue(now),
        notInArray(deliveries.alert, [...except]),
        exists(enabled),
        not(exists(waitsFor)),
      ),
    )
    .orderBy(asc(deliveries.due), asc(deliveries.id))
    .limit(limit)
}

/**
 * Begins an attempt: no other core sends the delivery before `until`. Returns the delivery with the new number of attempts;
 * undefined when another core was first, and when it is no longer pending.
 */
export async function claimDelivery(
  database: Database,
  { owner, id, attempts }: Pick<StoredDelivery, 'owner' | 'id' | 'attempts'>,
  { now, until }: { now: number; until: number },
): Promise<StoredDelivery | undefined> {
  const [claimed] = await database
    .update(deliveries)
    .set({
      attempts: attempts + 1,
      due: until,
      fault: null,
      since: sql`min(coalesce(${deliveries.since}, ${now}), ${now})`,
    })
    .where(and(isDelivery(owner, id), PENDING, eq(deliveries.attempts, attempts)))
    .returning()
  return claimed
}

/** Ends an attempt. Does nothing when another core has begun a later one, or the delivery is deleted. */
export async function endAttempt(
  database: Database,
  { owner, id, attempts }: Pick<StoredDelivery, 'owner' | 'id' | 'attempts'>,
  outcome: Partial<Pick<StoredDelivery, 'state' | 'due' | 'ended' | 'fault'>>,
): Promise<void> {
  await database
    .update(deliveries)
    .set(outcome)
    .where(and(isDelivery(owner, id), PENDING, eq(deliveries.attempts, attempts)))
}

/** Deletes deliveries that ended before a time (Unix milliseconds). */
export async function deleteEndedDeliveries(database: Database, before: number): Promise<void> {
  await database.delete(deliveries).where(and(gt(deliveries.ended, 0), lt(deliveries.ended, before)))
}

/** Columns of a NamedDelivery in a query that joins the rules. */
export const COLUMNS = {
  id: deliveries.id,
  alert: deliveries.alert,
  name: alerts.name,
  face: deliveries.face,
  event: deliveries.event,
  matches: deliveries.matches,
}

/** Condition of the join of alerts and rules of an owner. With the plus, SQLite finds alerts by their ids. */
export const alertsWith = (owner: string) =>
  and(
    sql`+${alerts.owner} = ${owner}`,
    eq(alerts.id, deliveries.alert),
    sql`+${deliveries.subscription} IS NULL`,
  )

/** Condition: the alert is about a face of the filter. */
export const isAbout = (database: Database, friends: FriendRule, owner: string, filter: SightingFilter) =>
  exists(
    database
      .select({ one: sql`1` })
      .from(faces)
      .where(and(eq(faces.id, deliveries.face), isSighting(database, friends, owner, filter))),
  )

/** The first deliveries of an owner above a position, oldest first: those about faces of the filter, and tests. */
export const deliveriesAbove = (
  database: Database,
  friends: FriendRule,
  owner: string,
  filter: SightingFilter,
  { above, limit }: { above: number; limit: number },
): Promise<NamedDelivery[]> =>
  selectInSteps(or(isNull(deliveries.face), isAbout(database, friends, owner, filter)), limit, {
    owner,
    id: deliveries.id,
    columns: COLUMNS,
    after: (id = above) => and(eq(deliveries.owner, owner), gt(deliveries.id, id)),
    select: (columns, where, most) =>
      database
        .select(columns)
        .from(deliveries)
        .innerJoin(alerts, alertsWith(owner))
        .where(where)
        .orderBy(asc(deliveries.id))
        .limit(most),
  })
