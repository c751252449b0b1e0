/** The tables of access: users with their passkeys and subscribed browsers, and tokens. Sessions of users are tokens, too. */
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
    id: text().primaryKey(),
    owner: ownerColumn(),
    name: text().notNull(),
    role: text({ enum: ROLE_NAMES }).notNull(),
    created: micros().notNull(),
    /** Hash of the unused link, and when it ends; null without one. */
    link: text(),
    linkExpires: micros('link_expires'),
    /** The link opens a session by itself: one of `mien start`. Otherwise it is an invitation to make a passkey. */
    linkOpens: flag('link_opens'),
    /** Who this is at an OpenID provider: the issuer, a space, and the claim `sub`. Null for invited users. */
    subject: text(),
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
    id: text().primaryKey(),
    user: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Browser and system that made it; "" when they are unknown. */
    name: text().notNull().default(''),
    /** The host name that it belongs to. */
    domain: text().notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** Signature counter of the authenticator; 0 for those without one. */
    counter: integer().notNull(),
    created: micros().notNull(),
    /** Time of the challenge that it answered last. It answers newer ones only. */
    challenged: micros().notNull(),
  },
  table => [index('passkeys_user').on(table.user)],
)

/** API tokens, and sessions of users. Only their hashes are stored. */
export const tokens = sqliteTable(
  'tokens',
  {
    /** Public id for operators: 12 hexadecimal digits. */
    id: text().primaryKey(),
    hash: text().notNull(),
    owner: ownerColumn(),
    name: text().notNull(),
    created: micros().notNull(),
    /** What its bearer may do. Tokens of versions without scopes have `admin`. */
    scope: text({ enum: SCOPES }).notNull().default('admin'),
    /** When it expires; null for never. */
    expires: micros(),
    /** When it is revoked. Lies in the future while a rotated token is still valid. */
    revoked: micros(),
    /** Requests per second; null for the service's default. */
    rate: real(),
    /** Last use, to about a minute. */
    used: micros(),
    /** The user of a session; null for a token. */
    user: text().references(() => users.id, { onDelete: 'cascade' }),
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
    id: text().primaryKey(),
    owner: ownerColumn(),
    user: text().references(() => users.id, { onDelete: 'cascade' }),
    /** The token or session that asked for them. Sessions expire before the subscription of their user. */
    token: text().notNull(),
    /** URL of the browser's push service. */
    endpoint: text().notNull(),
    /** Keys that encrypt messages for the browser (RFC 8291), base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    created: micros().notNull(),
  },
  table => [
    index('push_subscriptions_owner').on(table.owner),
    index('push_subscriptions_user').on(table.user),
  ],
)
