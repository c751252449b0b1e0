/** API tokens: all queries on them. The token itself never comes here, only its hash. Times are microseconds. */
import { and, asc, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Scope } from '../../contract/model/scope.ts'
import type { Database } from '../database.ts'
import { owners, tokens } from '../schema.ts'

export type NewToken = Omit<typeof tokens.$inferInsert, 'revoked' | 'used'>

/** What is known of a valid token. */
export interface KnownToken {
  token: string
  owner: string
  scope: Scope
  /** Requests a second; null where it has no number of its own. */
  rate: number | null
  /** When it ends, as far as that is known. */
  ends: number | null
}

/** The statement that adds a token. */
export const insertToken = (database: Database, token: NewToken) => database.insert(tokens).values(token)

/**
 * The token that has this hash, unless it is unknown, revoked or expired, or its owner is being deleted. The index finds
 * it: how long that takes tells at most of the hash, of which nobody can make a token.
 */
export async function tokenOfHash(
  database: Database,
  hash: string,
  now: number,
): Promise<KnownToken | undefined> {
  const { id, owner, scope, rate, expires, revoked } = tokens
  const [row] = await database
    .select({ token: id, owner, scope, rate, expires, revoked })
    .from(tokens)
    .innerJoin(owners, eq(owners.id, owner))
    .where(and(eq(tokens.hash, hash), validAt(now), eq(owners.going, false)))
  if (!row) return undefined
  const { expires: byItself, revoked: byHand, ...known } = row
  return { ...known, ends: earlier(byItself, byHand) }
}

const validAt = (now: number) =>
  and(
    or(isNull(tokens.revoked), gt(tokens.revoked, now)),
    or(isNull(tokens.expires), gt(tokens.expires, now)),
  )

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

/** Every token, oldest first, with its owner's name. */
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
    .orderBy(asc(tokens.created), asc(tokens.id))

/** The token of this id, if it is valid and no other one takes its place yet. */
export async function replaceableToken(database: Database, id: string, now: number) {
  const [row] = await database
    .select()
    .from(tokens)
    .where(and(eq(tokens.id, id), validAt(now), isNull(tokens.revoked)))
  return row
}

/** The statement that ends a valid token at this time, now or to come, and returns what it changed. */
export const endToken = (database: Database, id: string, revoked: number, now: number) =>
  database
    .update(tokens)
    .set({ revoked })
    .where(and(eq(tokens.id, id), validAt(now)))
    .returning({ id: tokens.id })

/** The statement that keeps when a token was used, unless it was used later. */
export const recordTokenUse = (database: Database, id: string, used: number) =>
  database
    .update(tokens)
    .set({ used })
    .where(and(eq(tokens.id, id), or(isNull(tokens.used), lt(tokens.used, used))))
