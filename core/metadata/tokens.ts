/** Adds and replaces tokens. The commands and the API share these functions. Times are microseconds since 1970. */
import { randomBytes } from 'node:crypto'
import type { Scope } from '../../contract/model/scope.ts'
import type { Database } from './database.ts'
import { endToken, insertToken, replaceableToken, type StoredToken } from './queries/tokens.ts'

export interface NewTokenRequest {
  owner: string
  /** Hash of the token (tokenHash). */
  hash: string
  /** What the token is for. */
  name: string
  /** `admin` when absent. */
  scope?: Scope | undefined
  /** The token never expires when absent. */
  expires?: number | undefined
  /** Requests per second; the service's default when absent. */
  rate?: number | undefined
}

/** Stores a token. A running service accepts it at once. */
export async function addToken(
  database: Database,
  { owner, hash, name, scope = 'admin', expires, rate }: NewTokenRequest,
  now: number,
): Promise<StoredToken> {
  const token = rowOf({ owner, hash, name, scope, expires: expires ?? null, rate: rate ?? null }, now)
  await insertToken(database, token)
  return token
}

export interface ReplacementRequest {
  id: string
  /** Only a token of this owner is replaced; a token of any owner when absent. */
  owner?: string | undefined
  /** Hash of the new token (tokenHash). */
  hash: string
  /** How long the old token stays valid, in milliseconds. */
  graceMs: number
}

export interface ReplacedToken {
  next: StoredToken
  old: StoredToken & { revoked: number }
}

/**
 * Stores a token with the owner, name, scope and rate of an old one, and ends the old one after the grace period. The new
 * token's lifetime equals the old one's, counted from now. Undefined when the old token is not valid or is already replaced.
 */
export async function replaceToken(
  database: Database,
  { id, owner, hash, graceMs }: ReplacementRequest,
  now: number,
): Promise<ReplacedToken | undefined> {
  const old = await replaceableToken(database, { id, owner }, now)
  if (!old) return undefined
  const expires = old.expires && now + (old.expires - old.created)
  const next = rowOf({ ...old, hash, expires }, now)
  const revoked = now + graceMs * 1000
  await database.batch([insertToken(database, next), endToken(database, { id, owner }, revoked, now)])
  return { next, old: { ...old, revoked } }
}

const rowOf = (
  { owner, hash, name, scope, expires, rate }: Omit<StoredToken, 'id' | 'created' | 'revoked' | 'used'>,
  now: number,
): StoredToken => ({
  id: randomBytes(6).toString('hex'),
  ...{ owner, hash, name, scope, expires, rate },
  created: now,
  revoked: null,
  used: null,
})
