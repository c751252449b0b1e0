/** All queries on browsers that show notifications, and on the key that signs messages to them. */
import { and, asc, count, eq, isNotNull, isNull, lt, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { pushSubscriptions, tokens } from '../access/schema.ts'
import { validAt } from '../access/tokens.ts'
import type { Database } from '../database.ts'
import { alerts, deliveries, pushKeys } from './schema.ts'

export type StoredSubscription = typeof pushSubscriptions.$inferSelect

/** A pair of keys, base64url. */
type PushKeys = Pick<typeof pushKeys.$inferSelect, 'publicKey' | 'privateKey'>

/** The key of the installation. The first caller stores the key of its `make`. */
export async function pushKeysOf(database: Database, make: () => PushKeys): Promise<PushKeys> {
  const [known] = await database.select().from(pushKeys)
  if (known) return known
  await database
    .insert(pushKeys)
    .values({ id: 1, ...make() })
    .onConflictDoNothing()
  const [stored] = await database.select().from(pushKeys)
  return stored!
}

/**
 * Stores the subscription of a browser, unless the owner or the bearer has the maximum. Its waiting messages stay, except messages
 * of another owner. Returns whether it was stored.
 */
export async function insertSubscription(
  database: Database,
  subscription: StoredSubscription,
  most: { owner: number; bearer: number },
): Promise<boolean> {
  const { id, owner, user, token, endpoint, p256dh, auth, created } = subscription
  const held = (by?: SQL) =>
    database
      .select({ count: count() })
      .from(pushSubscriptions)
      .where(and(eq(pushSubscriptions.owner, owner), ne(pushSubscriptions.id, id), by))
  const [, { rowsAffected }] = await database.batch([
    database
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.id, id), ne(pushSubscriptions.owner, owner))),
    database.run(sql`
      INSERT INTO push_subscriptions (id, owner, user, token, endpoint, p256dh, auth, created)
      SELECT ${id}, ${owner}, ${user}, ${token}, ${endpoint}, ${p256dh}, ${auth}, ${created}
      WHERE (${held()}) < ${most.owner} AND (${held(isOf(user ?? undefined, token))}) < ${most.bearer}
      ON CONFLICT (id) DO UPDATE SET user = excluded.user, token = excluded.token, p256dh = excluded.p256dh, auth = excluded.auth`),
  ])
  return rowsAffected > 0
}

/** Of a user, or of a token without a user. */
const isOf = (user: string | undefined, token: string) =>
  user === undefined ? eq(pushSubscriptions.token, token) : eq(pushSubscriptions.user, user)

/** The ids of the browsers of a user or token, oldest first. */
export async function subscriptionsOf(
  database: Database,
  owner: string,
  { user, token }: { user: string | undefined; token: string },
): Promise<string[]> {
  const rows = await database
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.owner, owner), isOf(user, token)))
    .orderBy(asc(pushSubscriptions.created))
  return rows.map(({ id }) => id)
}

/** Deletes a subscription with its messages. False when there is none. */
export async function deleteSubscription(
  database: Database,
  owner: string,
  id: string,
  of?: { user: string | undefined; token: string },
): Promise<boolean> {
  const { rowsAffected } = await database
    .delete(pushSubscriptions)
    .where(
      and(eq(pushSubscriptions.owner, owner), eq(pushSubscriptions.id, id), of && isOf(of.user, of.token)),
    )
  return rowsAffected > 0
}

/** Condition: the user exists, or the token has not ended. */
const isValid = (now: number) =>
  or(isNotNull(pushSubscriptions.user), and(isNotNull(tokens.id), validAt(now * 1000)))

const sameToken = and(eq(tokens.owner, pushSubscriptions.owner), eq(tokens.id, pushSubscriptions.token))

/**
 * Browsers of an owner that get new messages: fewer than `most` of enabled rules wait for them. `now` is in Unix milliseconds.
 */
export async function listeningBrowsers(
  database: Database,
  owner: string,
  now: number,
  most: number,
): Promise<string[]> {
  const waiting = database
    .select({ count: count() })
    .from(deliveries)
    .innerJoin(alerts, and(eq(alerts.id, deliveries.alert), eq(alerts.enabled, true)))
    .where(and(eq(deliveries.subscription, pushSubscriptions.id), eq(deliveries.state, 'pending')))
  const rows = await database
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .leftJoin(tokens, sameToken)
    .where(and(eq(pushSubscriptions.owner, owner), isValid(now), lt(sql`(${waiting})`, most)))
  return rows.map(({ id }) => id)
}

/** Deletes subscriptions of tokens that have ended. `now` is in Unix milliseconds. */
export async function deleteEndedSubscriptions(database: Database, now: number): Promise<void> {
  const valid = database
    .select({ id: tokens.id })
    .from(tokens)
    .where(validAt(now * 1000))
  const where = and(isNull(pushSubscriptions.user), notInArray(pushSubscriptions.token, valid))
  await database.delete(pushSubscriptions).where(where)
}

/** A subscription that may get messages; undefined if it may not. `now` is in Unix milliseconds. */
export async function validSubscription(
  database: Database,
  owner: string,
  id: string,
  now: number,
): Promise<StoredSubscription | undefined> {
  const [row] = await database
    .select({ subscription: pushSubscriptions })
    .from(pushSubscriptions)
    .leftJoin(tokens, sameToken)
    .where(and(eq(pushSubscriptions.owner, owner), eq(pushSubscriptions.id, id), isValid(now)))
  return row?.subscription
}
