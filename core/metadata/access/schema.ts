/** The tables of access: users with their passkeys and subscribed browsers, and tokens, some of which are sessions of users. */
import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { SCOPES } from '../../../contract/model/token.ts'
import { ROLE_NAMES } from '../../../contract/model/user.ts'
import { flag, micros, ownerColumn } from '../schema.ts'

/** People who sign in to the console. */
export const users = sqliteTable(
  'users',
  {
    /** 12 hexadecimal digits, also the handle of the user in passkeys. */
    id: text('id').primaryKey(),
    owner: ownerColumn(),
    name: text('name').notNull(),
    role: text('role', { enum: ROLE_NAMES }).notNull(),
    created: micros('created').notNull(),
    /** Hash of the unused link, and when it ends; null without one. */
    link: text('link'),
    linkExpires: micros('link_expires'),
    /** The link opens a session by itself: one of `mien start`. Otherwise it is an invitation to make a passkey. */
    linkOpens: flag('link_opens'),
    /** Who this is at an OpenID provider: the issuer, a space, and the claim `sub`. Null for invited users. */
    subject: text('subject'),
  },
  table => [
    uniqueIndex('users_name').on(table.owner, table.name),
    uniqueIndex('users_link').on(table.link),
    uniqueIndex('users_subject').on(table.subject),
  ],
)

/** Public keys of passkeys. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** Id of the credential, as its authenticator chose it. */
    id: text('id').primaryKey(),
    user: text('user')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Browser and system that made it; "" when they are unknown. */
    name: text('name').notNull().default(''),
    /** The host name that it belongs to. */
    domain: text('domain').notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Signature counter of the authenticator; 0 for those without one. */
    counter: integer('counter').notNull(),
    created: micros('created').notNull(),
    /** Time of the challenge that it answered last. It answers newer ones only. */
    challenged: micros('challenged').notNull(),
  },
  table => [index('passkeys_user').on(table.user)],
)

/** API tokens, and sessions of users. Only their hashes are stored. */
export const tokens = sqliteTable(
  'tokens',
  {
    /** Public id for operators: 12 hexadecimal digits. */
    id: text('id').primaryKey(),
    hash: text('hash').notNull(),
    owner: ownerColumn(),
    name: text('name').notNull(),
    created: micros('created').notNull(),
    /** What its bearer may do. Tokens of versions without scopes have `admin`. */
    scope: text('scope', { enum: SCOPES }).notNull().default('admin'),
    /** When it expires; null for never. */
    expires: micros('expires'),
    /** When it is revoked. Lies in the future while a rotated token is still valid. */
    revoked: micros('revoked'),
    /** Requests per second; null for the service's default. */
    rate: real('rate'),
    /** Last use, to about a minute. */
    used: micros('used'),
    /** The user of a session; null for a token. */
    user: text('user').references(() => users.id, { onDelete: 'cascade' }),
  },
  table => [
    uniqueIndex('tokens_hash').on(table.hash),
    index('tokens_owner').on(table.owner),
    index('tokens_user').on(table.user).where(sql`user IS NOT NULL`),
  ],
)

/** Browsers that get notifications, until their user is removed, or their token ends, which has no user. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** The first 32 hexadecimal digits of the SHA-256 of the endpoint. */
    id: text('id').primaryKey(),
    owner: ownerColumn(),
    user: text('user').references(() => users.id, { onDelete: 'cascade' }),
    /** The token or session that asked for them. Sessions expire before the subscription of their user. */
    token: text('token').notNull(),
    /** URL of the browser's push service. */
    endpoint: text('endpoint').notNull(),
    /** Keys that encrypt messages for the browser (RFC 8291), base64url. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    created: micros('created').notNull(),
  },
  table => [
    index('push_subscriptions_owner').on(table.owner),
    index('push_subscriptions_user').on(table.user),
  ],
)
