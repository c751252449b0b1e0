/** How an operator makes, lists and revokes API tokens: on a data folder, while the service runs or not. */
import { randomBytes } from 'node:crypto'
import { newToken, tokenHash } from '../contract/token.ts'
import { closeDatabase, type Database, openDatabase } from './database.ts'
import { ownerNamed } from './owners.ts'
import { allTokens, endToken, insertToken, tokenOfHash } from './tokens.ts'

/**
 * A new token for the owner of this name, who is made when new. The text is told this once: only its hash is kept.
 * A service that runs on the folder accepts it from then on.
 */
export async function createToken(request: { data: string; owner: string; name: string }): Promise<string> {
  return withDatabase(request.data, async database => {
    const created = Date.now() * 1000
    const owner = await ownerNamed(database, { id: randomHex(12), name: request.owner, created })
    const token = await newToken()
    const hash = await hashOf(token)
    await insertToken(database, { id: randomHex(6), hash, owner: owner.id, name: request.name, created })
    return token
  })
}

/** Would a service on this data folder accept the token? */
export async function tokenIsValid({ data, token }: { data: string; token: string }): Promise<boolean> {
  const hash = await tokenHash(token)
  if (hash === undefined) return false
  return withDatabase(data, async database => (await tokenOfHash(database, hash)) !== undefined)
}

/** Every token of the data folder, oldest first; times are microseconds since 1970. */
export const listTokens = (data: string) => withDatabase(data, allTokens)

/** Ends a token for good. False when there is no such token, or it had ended before. */
export const revokeToken = (data: string, id: string): Promise<boolean> =>
  withDatabase(data, database => endToken(database, id, Date.now() * 1000))

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')

async function hashOf(token: string): Promise<string> {
  const hash = await tokenHash(token)
  if (hash === undefined) throw new Error('a new token does not pass its own check')
  return hash
}

async function withDatabase<T>(data: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(data)
  try {
    return await work(database)
  } finally {
    await closeDatabase(database)
  }
}
