/** The tables of alert rules and of their messages, with the key that signs notifications. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ALERT_FORMATS, type AlertConditions, DELIVERY_STATES } from '../../../contract/model/alert.ts'
import type { Verdict } from '../../../contract/model/face.ts'
import { pushSubscriptions } from '../access/schema.ts'
import { faces, flag, json, micros, ownerColumn } from '../schema.ts'

/** A secret of a webhook, and its end in Unix milliseconds; null for the secret without an end. */
export interface WebhookSecret {
  secret: string
  ends: number | null
}

/** Alert rules. */
export const alerts = sqliteTable(
  'alerts',
  {
    /** 32 hexadecimal digits. */
    id: text().primaryKey(),
    owner: ownerColumn(),
    created: micros().notNull(),
    name: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    /** Empty without a webhook: the alerts are in live streams only. */
    url: text().notNull(),
    /** Null for messages by the Standard Webhooks specification. */
    format: text({ enum: ALERT_FORMATS }),
    /** Its alerts are notifications in the subscribed browsers, too. */
    browsers: flag(),
    conditions: json<AlertConditions>().notNull(),
    /** Newest first. */
    secrets: json<WebhookSecret[]>().notNull(),
    /** Start of links to pictures: scheme and host of the service as callers reach it. */
    origin: text().notNull(),
    /** The `seq` of the last event that was evaluated. */
    position: integer().notNull(),
  },
  table => [index('alerts_owner').on(table.owner)],
)

/**
 * Alerts, in the order of sending for one person; the outbox of webhooks and notifications. They hold ids only. An alert has one
 * row for itself, and one for each browser.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    /** Rises with each commit, and never repeats. Shares its numbers with `events.seq`; see positions.ts. */
    id: integer().primaryKey({ autoIncrement: true }),
    owner: ownerColumn(),
    alert: text()
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    /** The face and its event; null for a test. */
    face: integer().references(() => faces.id, { onDelete: 'cascade' }),
    event: integer(),
    /** The `person_id` of the face, as JSON; null without one. Statements that change the person of the face change this, too. */
    person: text(),
    /** Faces of the gallery of the rule that match. */
    matches: json<{ face: number; confidence: number; verdict?: Verdict }[]>().notNull(),
    state: text({ enum: DELIVERY_STATES }).notNull(),
    created: micros().notNull(),
    /** Attempts that began. The next one is the fence of a core that sends: another number is another core's. */
    attempts: integer().notNull().default(0),
    /** Unix milliseconds: the next attempt, the first attempt, and the end. While a core sends, `due` ends its lease. */
    due: integer().notNull(),
    since: integer(),
    ended: integer(),
    /** Why the last attempt failed: a fixed text, or a status. Null while a core sends. */
    fault: text(),
    /** The browser of a notification; null for the alert itself. */
    subscription: text().references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    /** When a user or token marked the alert as seen, and its name; null before. */
    seen: micros(),
    seenBy: text('seen_by'),
  },
  table => [
    // `id` is the rowid: the indexes are also sorted by it.
    index('deliveries_owner').on(table.owner),
    uniqueIndex('deliveries_event').on(table.alert, table.event).where(sql`subscription IS NULL`),
    uniqueIndex('deliveries_subscription').on(table.subscription, table.alert, table.event),
    index('deliveries_unseen')
      .on(table.owner)
      .where(sql`seen IS NULL AND subscription IS NULL AND face IS NOT NULL`),
    index('deliveries_state').on(table.alert, table.state),
    index('deliveries_person').on(table.alert, table.person),
    index('deliveries_order').on(table.alert, table.person).where(sql`state = 'pending'`),
    index('deliveries_due').on(table.owner, table.due).where(sql`state = 'pending'`),
    index('deliveries_ended').on(table.ended).where(sql`ended IS NOT NULL`),
    index('deliveries_face').on(table.face),
  ],
)

/** The key that signs messages to push services (RFC 8292), base64url: one row, written on first use. */
export const pushKeys = sqliteTable('push_keys', {
  id: integer().primaryKey(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
})
