/** All queries on users, their links and passkeys, and on the sessions among the tokens. Times are microseconds since 1970. */
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import { ROLES } from '../../../contract/model/user.ts'
import type { Database } from '../database.ts'
import { owners } from '../schema.ts'
import { OWNER_NOT_DELETED } from './owners.ts'
import { passkeys, pushSubscriptions, tokens, users } from './schema.ts'
import { validAt } from './tokens.ts'

export type StoredUser = typeof users.$inferSelect
export type StoredPasskey = typeof passkeys.$inferSelect
type StoredSession = typeof tokens.$inferSelect

/** Entries of the cache of actors. */
const CACHED_ACTORS = 10_000

/**
 * Returns a function from the id of a token or session to the bearer's name in the audit log. It remembers the answers: they never
 * change, also beyond the end of a session.
 */
export function actors(database: Database): (token: string) => Promise<string> {
  const known = new Map<string, string>()
  return async token => {
    const actor = known.get(token) ?? (await actorOf(database, token))
    if (known.size >= CACHED_ACTORS) known.clear()
    known.set(token, actor)
    return actor
  }
}

async function actorOf(database: Database, token: string) {
  const [row] = await database
    .select({ id: users.id, name: users.name })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.user))
    .where(eq(tokens.id, token))
  return row ? userActor(row) : `token ${token}`
}

/** Actor of an audit entry. The name stays in the log when the user is deleted. */
export const userActor = ({ id, name }: Pick<StoredUser, 'id' | 'name'>): string => `user ${id} ${name}`

/** The users of an owner by name, with their passkeys, and their sessions that have not ended. */
export async function usersOf(database: Database, owner: string, now: number) {
  const [stored, keys, sessions] = await Promise.all([
    database.select().from(users).where(eq(users.owner, owner)).orderBy(asc(users.name)),
    database
      .select({ key: passkeys })
      .from(passkeys)
      .innerJoin(users, eq(users.id, passkeys.user))
      .where(eq(users.owner, owner))
      .orderBy(desc(passkeys.created)),
    database
      .select()
      .from(tokens)
      .where(and(eq(tokens.owner, owner), isNotNull(tokens.user), validAt(now)))
      .orderBy(desc(tokens.created)),
  ])
  return stored.map(user => ({
    ...user,
    passkeys: keys.flatMap(({ key }) => (key.user === user.id ? [key] : [])),
    sessions: sessions.filter(session => session.user === user.id),
  }))
}

const isUser = (owner: string, id: string) => and(eq(users.owner, owner), eq(users.id, id))

/** Adds a user. A name that another user of the owner has is an error of the constraint. */
export const insertUser = (database: Database, user: typeof users.$inferInsert) =>
  database.insert(users).values(user)

/** Replaces the link of a user. False for an unknown user. */
export async function setLink(
  database: Database,
  { owner, id, ...link }: Pick<StoredUser, 'owner' | 'id' | 'link' | 'linkExpires' | 'linkOpens'>,
): Promise<boolean> {
  const { rowsAffected } = await database.update(users).set(link).where(isUser(owner, id))
  return rowsAffected > 0
}

/** Deletes a user with passkeys and sessions. False for an unknown user. */
export async function deleteUser(database: Database, owner: string, id: string): Promise<boolean> {
  const { rowsAffected } = await database.delete(users).where(isUser(owner, id))
  return rowsAffected > 0
}

/** The user whose unused link has this hash. */
export async function userOfLink(
  database: Database,
  link: string,
  now: number,
): Promise<StoredUser | undefined> {
  const [row] = await database
    .select({ user: users })
    .from(users)
    .innerJoin(owners, eq(owners.id, users.owner))
    .where(and(eq(users.link, link), gt(users.linkExpires, now), OWNER_NOT_DELETED))
  return row?.user
}

const NO_LINK = { link: null, linkExpires: null, linkOpens: false }

/** Spends a link. Of several attempts at once, one gets true. */
export async function spendLink(database: Database, link: string): Promise<boolean> {
  const { rowsAffected } = await database.update(users).set(NO_LINK).where(eq(users.link, link))
  return rowsAffected > 0
}

/** Ends all links, and the sessions of users of an OpenID provider. The provider gives them their present role at the next sign-in. */
export async function endSignIns(database: Database): Promise<void> {
  const provided = database.select({ id: users.id }).from(users).where(isNotNull(users.subject))
  await database.batch([
    database.update(users).set(NO_LINK),
    database.delete(tokens).where(inArray(tokens.user, provided)),
  ])
}

/**
 * Adds the user of a subject. A known user and its sessions get this owner, name and role. Browsers with notifications of another
 * owner end. A name of another user of the owner is an error of the constraint.
 */
export async function keepSubject(
  database: Database,
  user: typeof users.$inferInsert & { subject: string },
): Promise<StoredUser> {
  const { owner, name, role, subject } = user
  const own = database.select({ id: users.id }).from(users).where(eq(users.subject, subject))
  const [rows] = await database.batch([
    database
      .insert(users)
      .values(user)
      .onConflictDoUpdate({ target: users.subject, set: { owner, name, role } })
      .returning(),
    database.update(tokens).set({ owner, name, scope: ROLES[role] }).where(inArray(tokens.user, own)),
    database
      .delete(pushSubscriptions)
      .where(and(inArray(pushSubscriptions.user, own), ne(pushSubscriptions.owner, owner))),
  ])
  return rows[0]!
}

/** Deletes the user of a subject with their sessions, and returns them. */
export async function deleteSubject(database: Database, subject: string): Promise<StoredUser | undefined> {
  const [user] = await database.delete(users).where(eq(users.subject, subject)).returning()
  return user
}

/** The passkey of this id with its user. */
export async function passkeyOf(
  database: Database,
  id: string,
): Promise<{ passkey: StoredPasskey; user: StoredUser } | undefined> {
  const [row] = await database
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.user))
    .innerJoin(owners, eq(owners.id, users.owner))
    .where(and(eq(passkeys.id, id), OWNER_NOT_DELETED))
  return row
}

/**
 * Adds a passkey to the user of an unused link, and spends the link: both or neither. Fails with a null when the link is spent or
 * has ended, and as not unique for the id of another passkey.
 */
export async function addPasskey(
  database: Database,
  link: string,
  passkey: Omit<StoredPasskey, 'user'>,
): Promise<void> {
  const user = database
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.link, link), gt(users.linkExpires, passkey.created)))
  await database.batch([
    database.insert(passkeys).values({ ...passkey, user: sql`${user}` }),
    database.update(users).set(NO_LINK).where(eq(users.link, link)),
  ])
}

/**
 * Deletes one passkey of a user, or all, and ends the sessions with their notifications: any of them may be on the lost device.
 * `but`: the session that stays.
 */
export async function deletePasskeys(
  database: Database,
  { owner, user, passkey, but = '' }: { owner: string; user: string; passkey?: string; but?: string },
): Promise<void> {
  const own = database.select({ id: users.id }).from(users).where(isUser(owner, user))
  await database.batch([
    database
      .delete(passkeys)
      .where(and(inArray(passkeys.user, own), passkey === undefined ? undefined : eq(passkeys.id, passkey))),
    database.delete(tokens).where(and(inArray(tokens.user, own), ne(tokens.id, but))),
    database
      .delete(pushSubscriptions)
      .where(and(inArray(pushSubscriptions.user, own), ne(pushSubscriptions.token, but))),
  ])
}

/** Whether an administrator of the owner has a passkey; for pages of this host, unless it is undefined. */
export async function hasAdministrator(database: Database, owner: string, host?: string): Promise<boolean> {
  const rows = await database
    .select({ id: passkeys.id })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.user))
    .where(
      and(
        eq(users.owner, owner),
        eq(users.role, 'administer'),
        host === undefined ? undefined : eq(passkeys.domain, host),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** Notes that a passkey has answered a challenge. False when it has answered this or a newer one before. */
export async function noteAnswer(
  database: Database,
  { id, challenged, counter }: Pick<StoredPasskey, 'id' | 'challenged' | 'counter'>,
): Promise<boolean> {
  const { rowsAffected } = await database
    .update(passkeys)
    .set({ challenged, counter })
    .where(and(eq(passkeys.id, id), lt(passkeys.challenged, challenged)))
  return rowsAffected > 0
}

/** Adds a session of the user. Deletes ended sessions, and the oldest beyond `most`. */
export async function insertSession(
  database: Database,
  user: StoredUser,
  session: Pick<StoredSession, 'id' | 'hash' | 'created' | 'expires'>,
  most: number,
): Promise<void> {
  const { owner, name, role } = user
  const newest = database
    .select({ id: tokens.id })
    .from(tokens)
    .where(and(eq(tokens.user, user.id), validAt(session.created)))
    .orderBy(desc(tokens.created), desc(sql`rowid`))
    .limit(most)
  await database.batch([
    database.insert(tokens).values({ ...session, owner, name, scope: ROLES[role], user: user.id }),
    database.delete(tokens).where(and(eq(tokens.user, user.id), sql`${tokens.id} NOT IN ${newest}`)),
  ])
}

/** The user of a session of the owner, also of an ended session. Undefined for a token. */
export async function userOfSession(
  database: Database,
  owner: string,
  session: string,
): Promise<string | undefined> {
  const [row] = await database
    .select({ user: tokens.user })
    .from(tokens)
    .where(and(eq(tokens.owner, owner), eq(tokens.id, session)))
  return row?.user ?? undefined
}
