/** All queries on API tokens, and the lookup of sessions among them. They use the hash of a token, never the token itself. Times are microseconds since 1970. */
import { and, asc, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Scope } from '../../../contract/model/token.ts'
import type { Database } from '../database.ts'
import { owners } from '../schema.ts'
import { OWNER_NOT_DELETED } from './owners.ts'
import { pushSubscriptions, tokens, users } from './schema.ts'

/** A stored token. */
export type StoredToken = typeof tokens.$inferSelect

/** A token that is not the session of a user. */
const IS_TOKEN = isNull(tokens.user)

type NewToken = Omit<typeof tokens.$inferInsert, 'revoked' | 'used'>

/** Later than every time. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER

/** Properties of a valid token. */
interface KnownToken {
  token: string
  owner: string
  scope: Scope
  /** Requests per second; null for the service's default. */
  rate: number | null
  /** When the token expires or is revoked, whichever is earlier; null when neither is set. */
  ends: number | null
  /** The user of a session. */
  user: { id: string; name: string } | null
}

/** Statement that adds a token. */
export const insertToken = (database: Database, token: NewToken) => database.insert(tokens).values(token)

/**
 * The token with this hash, unless it is unknown, revoked or expired, or its owner is being deleted. The timing of the
 * index lookup reveals at most something about the hash, from which no token can be derived.
 */
export async function tokenOfHash(
  database: Database,
  hash: string,
  now: number,
): Promise<KnownToken | undefined> {
  const { id, owner, scope, rate, expires, revoked } = tokens
  const [row] = await database
    .select({
      token: id,
      owner,
      scope,
      rate,
      expires,
      revoked,
      user: { id: users.id, name: users.name },
    })
    .from(tokens)
    .innerJoin(owners, eq(owners.id, owner))
    .leftJoin(users, eq(users.id, tokens.user))
    .where(and(eq(tokens.hash, hash), validAt(now), OWNER_NOT_DELETED))
  if (!row) return undefined
  const { expires: expiry, revoked: revocation, ...known } = row
  return { ...known, ends: earlier(expiry, revocation) }
}

/** Condition: the token or session has not ended. */
export const validAt = (now: number) =>
  and(
    or(isNull(tokens.revoked), gt(tokens.revoked, now)),
    or(isNull(tokens.expires), gt(tokens.expires, now)),
  )

const earlier = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))

/** Whether this token of the owner is valid, and the owner is not being deleted. */
export async function isTokenValid(
  database: Database,
  owner: string,
  token: string,
  now: number,
): Promise<boolean> {
  const rows = await database
    .select({ id: tokens.id })
    .from(tokens)
    .innerJoin(owners, eq(owners.id, tokens.owner))
    .where(and(eq(tokens.owner, owner), eq(tokens.id, token), validAt(now), OWNER_NOT_DELETED))
  return rows.length > 0
}

/** All tokens without sessions, oldest first, with the names of their owners. */
export const allTokens = (database: Database) =>
  database
    .select({
      id: tokens.id,
      owner: owners.name,
      name: tokens.name,
      scope: tokens.scope,
      rate: tokens.rate,
      created: tokens.created,
      used: tokens.used,
      expires: tokens.expires,
      revoked: tokens.revoked,
    })
    .from(tokens)
    .innerJoin(owners, eq(owners.id, tokens.owner))
    .where(IS_TOKEN)
    .orderBy(asc(tokens.created), asc(tokens.id))

/** A token of the owner, with the name of the owner. */
export async function tokenOf(database: Database, owner: string, id: string) {
  const [row] = await database
    .select({ token: tokens, owner: owners.name })
    .from(tokens)
    .innerJoin(owners, eq(owners.id, tokens.owner))
    .where(and(eq(tokens.owner, owner), eq(owners.id, owner), eq(tokens.id, id)))
  return row
}

/** Tokens of the owner without sessions, at most `limit`: tokens without a revocation first, then those revoked last; newest first. */
export const tokensOf = (database: Database, owner: string, limit: number): Promise<StoredToken[]> =>
  database
    .select()
    .from(tokens)
    .where(and(eq(tokens.owner, owner), IS_TOKEN))
    .orderBy(desc(sql`coalesce(${tokens.revoked}, ${END_OF_TIME})`), desc(tokens.created), asc(tokens.id))
    .limit(limit)

/** Number of valid tokens of the owner. */
export const validTokens = (database: Database, owner: string, now: number): Promise<number> =>
  database.$count(tokens, and(eq(tokens.owner, owner), IS_TOKEN, validAt(now)))

/** A token, of one owner or of any. */
interface TokenKey {
  id: string
  owner?: string
}

const isToken = ({ id, owner }: TokenKey) =>
  and(eq(tokens.id, id), owner === undefined ? undefined : eq(tokens.owner, owner))

const isReplaceable = (key: TokenKey, now: number) =>
  and(isToken(key), IS_TOKEN, validAt(now), isNull(tokens.revoked))

/** The token of this key, if it is valid and not replaced yet. */
export async function replaceableToken(
  database: Database,
  key: TokenKey,
  now: number,
): Promise<StoredToken | undefined> {
  const [row] = await database.select().from(tokens).where(isReplaceable(key, now))
  return row
}

/** Statement that adds a token of the owner of this one, and fails with a null when this one is not replaceable. */
export const insertReplacement = (database: Database, token: NewToken, key: TokenKey, now: number) => {
  const owner = database.select({ owner: tokens.owner }).from(tokens).where(isReplaceable(key, now))
  return database.insert(tokens).values({ ...token, owner: sql`${owner}` })
}

/** Statement that ends a valid token or session at `revoked`, now or in the future, and returns its id. */
export const endToken = (database: Database, key: TokenKey, revoked: number, now: number) =>
  database
    .update(tokens)
    .set({ revoked })
    .where(and(isToken(key), validAt(now)))
    .returning({ id: tokens.id })

/** Statement that stores the last use of a token, unless a later use is stored. */
export const recordTokenUse = (database: Database, id: string, used: number) =>
  database
    .update(tokens)
    .set({ used })
    .where(and(eq(tokens.id, id), or(isNull(tokens.used), lt(tokens.used, used))))

/** Ends a valid token or session now, with the notifications that it asked for. False when there is none. */
export async function endWithNotifications(database: Database, key: TokenKey, now: number): Promise<boolean> {
  const { id, owner } = key
  const { owner: itsOwner, token } = pushSubscriptions
  const [ended] = await database.batch([
    endToken(database, key, now, now),
    database
      .delete(pushSubscriptions)
      .where(and(eq(token, id), owner === undefined ? undefined : eq(itsOwner, owner))),
  ])
  return ended.length > 0
}
