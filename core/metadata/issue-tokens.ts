/** Creates, lists, rotates and revokes API tokens in a data folder, while the service runs or not. */
import { randomBytes } from 'node:crypto'
import type { Scope } from '../../contract/model/scope.ts'
import { newToken, tokenHash } from '../../contract/model/token.ts'
import { insertEntries } from './audit-log/entries.ts'
import { type Operation, operator } from './audit-log/operator-entries.ts'
import { closeDatabase, type Database, type MetadataSettings, openDatabase } from './database.ts'
import { ownerNamed, ownerNames } from './queries/owners.ts'
import { allTokens, endToken, tokenOfHash } from './queries/tokens.ts'
import { addToken, replaceToken } from './tokens.ts'

/** Options of a new token. Times are microseconds since 1970. */
export interface TokenRequest extends MetadataSettings {
  data: string
  /** Name of the owner, who is created when no owner has this name. */
  owner: string
  name: string
  /** `admin` when absent. */
  scope?: Scope | undefined
  /** The token never expires when absent. */
  expires?: number | undefined
  /** Requests per second; the service's default when absent. */
  rate?: number | undefined
}

/** Creates a token and returns its text, of which only the hash is stored. A running service accepts the token at once. */
export async function createToken({ data, owner, ...request }: TokenRequest): Promise<string> {
  return withDatabase(data, request, async database => {
    const created = microsNow()
    const { id } = await ownerNamed(database, { id: randomBytes(12).toString('hex'), name: owner, created })
    const { token, hash } = await freshToken()
    const { name, scope, expires, rate } = request
    const stored = await addToken(database, { owner: id, hash, name, scope, expires, rate }, created)
    await recordOperation(database, { action: 'token.create', owner: id, subject: { token: stored.id } })
    return token
  })
}

/** A new token, and when it (`expires`) and its predecessor (`oldEnds`) end, in microseconds since 1970. */
export interface Replacement {
  token: string
  id: string
  expires: number | null
  oldEnds: number
}

/**
 * Creates a token with the owner, name, scope and rate of an old one, which stays valid for `graceMs` milliseconds. The
 * new token's lifetime equals the old one's, counted from now. Undefined when the old token is not valid or is already
 * replaced.
 */
export async function rotateToken(
  data: string,
  oldId: string,
  graceMs: number,
  settings: MetadataSettings = {},
): Promise<Replacement | undefined> {
  return withDatabase(data, settings, async database => {
    const { token, hash } = await freshToken()
    const replaced = await replaceToken(database, { id: oldId, hash, graceMs }, microsNow())
    if (!replaced) return undefined
    const { next, old } = replaced
    const { id, owner, expires } = next
    await recordOperation(database, { action: 'token.rotate', owner, subject: { token: oldId, next: id } })
    return { token, id, expires, oldEnds: Math.min(old.revoked, old.expires ?? old.revoked) }
  })
}

/** Whether a service on this data folder accepts the token. */
export async function tokenIsValid({
  data,
  token,
  ...settings
}: MetadataSettings & { data: string; token: string }): Promise<boolean> {
  const hash = await tokenHash(token)
  if (hash === undefined) return false
  return withDatabase(
    data,
    settings,
    async database => (await tokenOfHash(database, hash, microsNow())) !== undefined,
  )
}

/** All tokens of the data folder, oldest first. Times are microseconds since 1970. */
export const listTokens = (data: string, settings: MetadataSettings = {}) =>
  withDatabase(data, settings, allTokens)

/** Names of the owners of the data folder, in alphabetical order. */
export const listOwners = (data: string, settings: MetadataSettings = {}): Promise<string[]> =>
  withDatabase(data, settings, ownerNames)

/** Ends a token now. False when there is no such token, or when it has ended before. */
export const revokeToken = (data: string, id: string, settings: MetadataSettings = {}): Promise<boolean> =>
  withDatabase(data, settings, async database => {
    const now = microsNow()
    const ended = (await endToken(database, { id }, now, now)).length > 0
    if (ended) await recordOperation(database, { action: 'token.revoke', subject: { token: id } })
    return ended
  })

/** Writes to the audit log, before the caller shows a token or reports a revocation. */
const recordOperation = (database: Database, operation: Operation): Promise<void> =>
  insertEntries(database, [{ ...operation, actor: operator() }])

const microsNow = (): number => Date.now() * 1000

async function freshToken(): Promise<{ token: string; hash: string }> {
  const token = await newToken()
  const hash = await tokenHash(token)
  if (hash === undefined) throw new Error('a new token does not pass its own check')
  return { token, hash }
}

async function withDatabase<T>(
  data: string,
  settings: MetadataSettings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(data, settings)
  try {
    return await work(database)
  } finally {
    await closeDatabase(database)
  }
}
