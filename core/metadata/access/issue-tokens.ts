/** Creates, lists, rotates and revokes API tokens, and makes the link of `mien start`. Times are microseconds since 1970. */
import { randomBytes } from 'node:crypto'
import { environment } from '../../../contract/environment.ts'
import { TOKEN_LIMITS } from '../../../contract/limits/tokens.ts'
import { freshToken, type Scope, tokenHash } from '../../../contract/model/token.ts'
import type { Role } from '../../../contract/model/user.ts'
import { endWithNotifications } from '../access/tokens.ts'
import { insertEntries, type Operation, operator } from '../audit-log/entries.ts'
import { changeSettings, isUnused } from '../connection/cores.ts'
import { type Database, type MetadataSettings, withDatabase } from '../database.ts'
import { brokenConstraint } from '../revisions.ts'
import { ownerFor, ownerNamed, ownerNames } from './owners.ts'
import {
  allTokens,
  endToken,
  insertReplacement,
  insertToken,
  replaceableToken,
  type StoredToken,
  tokenOfHash,
} from './tokens.ts'
import { hasAdministrator, insertUser, setLink, usersOf } from './users.ts'

/** Options of a new token. Times are microseconds since 1970. */
interface NewToken {
  owner: string
  /** Purpose of the token. */
  name: string
  /** `admin` when absent. */
  scope?: Scope
  /** The token never expires when absent. */
  expires?: number
  /** Requests per second; the service's default when absent. */
  rate?: number
}

/** A new token of the owner with this name, who is created when no owner has it. */
export interface TokenRequest extends NewToken, MetadataSettings {
  data: string
}

/**
 * Creates a token and returns its text. Only the hash of the text is stored. A running service accepts the token at once. The first
 * token of an installation turns the record of searches on.
 */
export async function createToken({ data, owner, ...request }: TokenRequest): Promise<string> {
  return withDatabase(data, request, async database => {
    const created = microsNow()
    if (await isUnused(database)) await changeSettings(database, { record_searches: true }, [])
    const { id } = await ownerNamed(database, { id: randomBytes(12).toString('hex'), name: owner, created })
    const { token, hash } = await freshToken()
    const { name, scope, expires, rate } = request
    const stored = await addToken(database, { owner: id, hash, name, scope, expires, rate }, created)
    await recordOperation(database, { action: 'token.create', owner: id, subject: { token: stored.id } })
    return token
  })
}

/** A new token, and when it (`expires`) and its predecessor (`oldEnds`) end, in microseconds since 1970. */
interface Replacement {
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
export const listOwners = (data: string, settings: MetadataSettings): Promise<string[]> =>
  withDatabase(data, settings, ownerNames)

/** Ends a token now. False for an unknown or ended token. */
export const revokeToken = (data: string, id: string, settings: MetadataSettings = {}): Promise<boolean> =>
  withDatabase(data, settings, async database => {
    const ended = await endWithNotifications(database, { id }, microsNow())
    if (ended) await recordOperation(database, { action: 'token.revoke', subject: { token: id } })
    return ended
  })

/** Writes to the audit log, before the caller shows a token or reports a revocation. */
const recordOperation = (database: Database, operation: Operation) =>
  insertEntries(database, [{ ...operation, actor: operator() }])

const microsNow = () => environment.now() * 1000

interface LinkRequest extends Omit<TokenRequest, keyof NewToken> {
  owner: string
  /**
   * The user. One with this name keeps the role; otherwise there is a new one. While a user of an OpenID provider has the name, a
   * number is added: these users get no links.
   */
  name: string
  role: Role
}

/** Returns the secret of a link that opens a session once. Only its hash is stored. An earlier link of the user ends. */
export const startLink = ({ data, owner, name, role, ...settings }: LinkRequest): Promise<string> =>
  withDatabase(data, settings, async database => {
    const created = microsNow()
    const { id } = await ownerNamed(database, { id: randomBytes(12).toString('hex'), name: owner, created })
    const { token, hash } = await freshToken()
    const link = { link: hash, linkExpires: created + TOKEN_LIMITS.startLinkMs * 1000, linkOpens: true }
    const users = new Map((await usersOf(database, id, created)).map(user => [user.name, user]))
    let free = name
    for (let next = 2; users.get(free)?.subject; next++) free = `${name} ${next}`
    const known = users.get(free)
    const user = known?.id ?? randomBytes(6).toString('hex')
    if (known) await setLink(database, { owner: id, id: user, ...link })
    else await insertUser(database, { id: user, owner: id, name: free, role, created, ...link })
    const action = known ? 'user.link' : 'user.invite'
    await insertEntries(database, [{ actor: operator(), action, owner: id, subject: { user } }])
    return token
  })

/** Whether an administrator of the owner with this name can sign in by a passkey, at this host unless it is undefined. */
export const administratorSignsIn = (
  { data, owner, host }: { data: string; owner: string; host: string | undefined },
  settings: MetadataSettings,
): Promise<boolean> =>
  withDatabase(data, settings, async database => {
    const id = await ownerFor(database, owner)
    return id !== undefined && hasAdministrator(database, id, host)
  })

/** Stores a token of the owner with this id. `hash` is the hash of its text (tokenHash). A running service accepts it at once. */
export async function addToken(
  database: Database,
  { owner, hash, name, scope = 'admin', expires, rate }: NewToken & { hash: string },
  now: number,
): Promise<StoredToken> {
  const token = rowOf({ owner, hash, name, scope, expires: expires ?? null, rate: rate ?? null }, now)
  await insertToken(database, token)
  return token
}

/**
 * Stores a token with this hash. Owner, name, scope and rate are the old token's. Ends the old token after `graceMs` milliseconds.
 * The new token's lifetime equals the old one's, counted from now. Undefined when the old token is not valid, is already replaced,
 * or belongs to another owner.
 */
export async function replaceToken(
  database: Database,
  { id, owner, hash, graceMs }: { id: string; owner?: string; hash: string; graceMs: number },
  now: number,
): Promise<{ next: StoredToken; old: StoredToken & { revoked: number } } | undefined> {
  const old = await replaceableToken(database, { id, owner }, now)
  if (!old) return undefined
  const expires = old.expires && now + (old.expires - old.created)
  const next = rowOf({ ...old, hash, expires }, now)
  const revoked = now + graceMs * 1000
  try {
    await database.batch([
      insertReplacement(database, next, { id, owner }, now),
      endToken(database, { id, owner }, revoked, now),
    ])
  } catch (error) {
    // Another call has just revoked or replaced it.
    if (brokenConstraint(error)?.kind === 'null') return undefined
    throw error
  }
  return { next, old: { ...old, revoked } }
}

const rowOf = (
  token: Omit<StoredToken, 'id' | 'created' | 'revoked' | 'used' | 'user'>,
  now: number,
): StoredToken => ({
  ...token,
  id: randomBytes(6).toString('hex'),
  created: now,
  revoked: null,
  used: null,
  user: null,
})
