/** How an operator makes, lists, replaces and revokes API tokens: on a data folder, while the service runs or not. */
import { randomBytes } from 'node:crypto'
import type { Scope } from '../contract/model/scope.ts'
import { newToken, tokenHash } from '../contract/model/token.ts'
import { insertEntries } from './audit-log/entries.ts'
import { type Operation, operator } from './audit-log/operator-entries.ts'
import { closeDatabase, type Database, type MetadataSettings, openDatabase } from './database.ts'
import { ownerNamed } from './queries/owners.ts'
import { allTokens, endToken, insertToken, replaceableToken, tokenOfHash } from './queries/tokens.ts'

/** What a token is made with. Times are microseconds since 1970. */
export interface TokenRequest extends MetadataSettings {
  data: string
  /** The owner's name; one is made when there is none of that name. */
  owner: string
  name: string
  /** `admin` when absent. */
  scope?: Scope | undefined
  /** Never, when absent. */
  expires?: number | undefined
  /** Requests a second; what the service says for all when absent. */
  rate?: number | undefined
}

/** A new token's text is told once: only its hash is kept. A service that runs on the folder accepts it from then on. */
export async function createToken({ data, owner, ...request }: TokenRequest): Promise<string> {
  return withDatabase(data, request, async database => {
    const created = microsNow()
    const { id } = await ownerNamed(database, { id: randomHex(12), name: owner, created })
    const { token, hash } = await freshToken()
    const tokenId = randomHex(6)
    const { name, scope, expires, rate } = request
    await insertToken(database, { name, scope, expires, rate, id: tokenId, hash, owner: id, created })
    await told(database, { action: 'token.create', owner: id, subject: { token: tokenId } })
    return token
  })
}

/** A token and what it takes the place of: when each of them ends, in microseconds since 1970. */
export interface Replacement {
  token: string
  id: string
  expires: number | null
  oldEnds: number
}

/**
 * A new token with the owner, the name, the scope and the rate of an old one, which goes on working for so many
 * milliseconds. It lives as long as the old one was given, from now on. Undefined when the old one is not valid, or
 * another one takes its place already.
 */
export async function rotateToken(
  data: string,
  oldId: string,
  graceMs: number,
  settings: MetadataSettings = {},
): Promise<Replacement | undefined> {
  return withDatabase(data, settings, async database => {
    const now = microsNow()
    const old = await replaceableToken(database, oldId, now)
    if (!old) return undefined
    const { owner, name, scope, rate } = old
    const { token, hash } = await freshToken()
    const id = randomHex(6)
    const expires = old.expires && now + (old.expires - old.created)
    const graceEnds = now + graceMs * 1000
    await database.batch([
      insertToken(database, { id, hash, owner, name, scope, rate, expires, created: now }),
      endToken(database, oldId, graceEnds, now),
    ])
    await told(database, { action: 'token.rotate', owner, subject: { token: oldId, next: id } })
    return { token, id, expires, oldEnds: Math.min(graceEnds, old.expires ?? graceEnds) }
  })
}

/** Would a service on this data folder accept the token? */
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

/** Every token of the data folder, oldest first; times are microseconds since 1970. */
export const listTokens = (data: string, settings: MetadataSettings = {}) =>
  withDatabase(data, settings, allTokens)

/** Ends a token for good, now. False when there is no such token, or it had ended before. */
export const revokeToken = (data: string, id: string, settings: MetadataSettings = {}): Promise<boolean> =>
  withDatabase(data, settings, async database => {
    const now = microsNow()
    const ended = (await endToken(database, id, now, now)).length > 0
    if (ended) await told(database, { action: 'token.revoke', subject: { token: id } })
    return ended
  })

/** Writes it down in the audit log: before a token is shown, and before it is said that one has ended. */
const told = (database: Database, operation: Operation): Promise<void> =>
  insertEntries(database, [{ ...operation, actor: operator() }])

const microsNow = (): number => Date.now() * 1000

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

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
