/** The tables of the metadata: owners, tokens, galleries, cameras, persons, faces, repeated requests, what is under way, cores, the audit log, and what proves that all of it is whole. */
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { Quality } from '../contract/model/quality.ts'
import { SCOPES } from '../contract/model/scope.ts'
import type { SharedSettings } from './connection/shared-settings.ts'

/** Microseconds since 1970, as everywhere in core. */
const micros = (name: string) => integer(name, { mode: 'number' })

/** Days after which faces are deleted; null for never. */
const retentionDays = () => integer('retention_days', { mode: 'number' })

/** Who faces belong to: the tenant behind a token. */
export const owners = sqliteTable(
  'owners',
  {
    /** 24 hexadecimal digits. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    created: micros('created').notNull(),
    /** Of faces that are in no named gallery and of no camera. */
    retentionDays: retentionDays(),
    /** Being deleted: no token of theirs is valid, while what they have goes some at a time. */
    going: integer('going', { mode: 'boolean' }).notNull().default(false),
    /** Counts up with what several cores must not do beside each other: see revisions.ts. */
    revision: integer('revision', { mode: 'number' }).notNull().default(0),
  },
  table => [uniqueIndex('owners_name').on(table.name)],
)

/** API tokens, each known by its hash only. */
export const tokens = sqliteTable(
  'tokens',
  {
    /** What an operator calls it by: 12 hexadecimal digits, of no use to an attacker. */
    id: text('id').primaryKey(),
    hash: text('hash').notNull(),
    owner: text('owner')
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    created: micros('created').notNull(),
    /** What its bearer may do. Those from before there were scopes may do what they always could. */
    scope: text('scope', { enum: SCOPES }).notNull().default('admin'),
    /** When it ends by itself. */
    expires: micros('expires'),
    /** When it is ended: to come, while a newer one takes its place. */
    revoked: micros('revoked'),
    /** Requests a second, where it has a number of its own. */
    rate: real('rate'),
    /** When it was used last, to a minute or so. */
    used: micros('used'),
  },
  table => [uniqueIndex('tokens_hash').on(table.hash), index('tokens_owner').on(table.owner)],
)

/** Named galleries. `default` has no row: every face is in it. */
export const galleries = sqliteTable(
  'galleries',
  {
    owner: text('owner')
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    created: micros('created').notNull(),
    /** Being deleted: for callers it is gone, while its faces go some at a time. */
    going: integer('going', { mode: 'boolean' }).notNull().default(false),
    retentionDays: retentionDays(),
  },
  table => [primaryKey({ columns: [table.owner, table.name] })],
)

/** Cameras. Faces keep the id of a camera that is deleted. */
export const cameras = sqliteTable(
  'cameras',
  {
    /** 32 hexadecimal digits. */
    id: text('id').primaryKey(),
    owner: text('owner')
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    created: micros('created').notNull(),
    meta: text('meta'),
    url: text('url'),
    detector: text('detector'),
    rot: text('rot', { mode: 'json' }).$type<[number, number, number, number]>(),
    roi: text('roi', { mode: 'json' }).$type<[number, number, number, number]>(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    retentionDays: retentionDays(),
    /** Deleted; kept, without what it was called, for its retention alone, while faces that it posted are left. */
    going: integer('going', { mode: 'boolean' }).notNull().default(false),
  },
  table => [index('cameras_owner').on(table.owner)],
)

/** Persons. A face's `person_id` names one when it is a number; a person may be without faces. */
export const persons = sqliteTable(
  'persons',
  {
    owner: text('owner')
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    id: integer('id', { mode: 'number' }).notNull(),
    meta: text('meta').notNull(),
  },
  table => [primaryKey({ columns: [table.owner, table.id] })],
)

/** Faces. A face exists exactly when it has a row here, whatever lies in the vector store or among the pictures. */
export const faces = sqliteTable(
  'faces',
  {
    /** Its own rowid, so that an index on the owner is also sorted by id. */
    id: integer('id', { mode: 'number' }).primaryKey(),
    owner: text('owner')
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    timestamp: micros('timestamp').notNull(),
    photo: text('photo').notNull(),
    photoHash: text('photo_hash').notNull(),
    x1: integer('x1').notNull(),
    y1: integer('y1').notNull(),
    x2: integer('x2').notNull(),
    y2: integer('y2').notNull(),
    meta: text('meta').notNull(),
    /** A number or a string, told apart by being JSON. */
    personId: text('person_id', { mode: 'json' }).$type<number | string>(),
    camera: text('cam_id'),
    age: real('age'),
    gender: text('gender'),
    emotions: text('emotions', { mode: 'json' }).$type<string[]>(),
    quality: text('quality', { mode: 'json' }).$type<Quality>(),
    liveness: real('liveness'),
    detectorInfo: text('detector_info', { mode: 'json' }).$type<unknown>(),
    /** Whether pictures were kept of it when it was enrolled. */
    pictured: integer('pictured', { mode: 'boolean' }).notNull().default(true),
  },
  table => [
    index('faces_owner').on(table.owner),
    index('faces_meta').on(table.owner, table.meta),
    // What cameras posted, and of one person, newest last: for the history.
    index('faces_events').on(table.owner).where(sql`cam_id IS NOT NULL`),
    index('faces_person').on(table.owner, table.personId).where(sql`person_id IS NOT NULL`),
    // When a camera saw a person: for friends.
    index('faces_sightings')
      .on(table.owner, table.personId, table.camera, table.timestamp)
      .where(sql`person_id IS NOT NULL AND cam_id IS NOT NULL`),
  ],
)

/** Which named galleries hold which faces. */
export const memberships = sqliteTable(
  'memberships',
  {
    owner: text('owner').notNull(),
    gallery: text('gallery').notNull(),
    face: integer('face', { mode: 'number' })
      .notNull()
      .references(() => faces.id, { onDelete: 'cascade' }),
  },
  table => [
    primaryKey({ columns: [table.owner, table.gallery, table.face] }),
    foreignKey({
      name: 'memberships_gallery',
      columns: [table.owner, table.gallery],
      foreignColumns: [galleries.owner, galleries.name],
    }).onDelete('cascade'),
    index('memberships_face').on(table.face),
  ],
)

/** What each enrolment with an Idempotency-Key stored: ids alone, so that nothing of a deleted face stays here. */
export const rememberedAnswers = sqliteTable(
  'remembered_answers',
  {
    owner: text('owner')
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    /** Of the request, so that another request under the same key is noticed. */
    requestHash: text('request_hash').notNull(),
    /** Ids of the faces, in the order of the answer. */
    faces: text('faces', { mode: 'json' }).notNull().$type<number[]>(),
    created: micros('created').notNull(),
  },
  table => [
    primaryKey({ columns: [table.owner, table.key] }),
    index('remembered_answers_created').on(table.created),
  ],
)

/**
 * Notes of what is under way: faces whose vectors or pictures may not be what their rows say. One is written before an
 * enrolment or a change touches these, and with the transaction that deletes the row; it goes when they agree again.
 */
export const intents = sqliteTable(
  'unsettled',
  {
    id: integer('id', { mode: 'number' }).primaryKey(),
    /** The enrolment, change or deletion that it is of: a UUID. */
    work: text('work').notNull(),
    /** The core that is at it, where several share the database. */
    core: text('core'),
    owner: text('owner').notNull(),
    face: integer('face', { mode: 'number' }).notNull(),
    /** The named galleries that may hold a vector of the face and should not; `default` goes without saying. */
    galleries: text('galleries', { mode: 'json' }).notNull().$type<string[]>(),
    /** Unix milliseconds. */
    since: integer('since', { mode: 'number' }).notNull(),
  },
  table => [index('unsettled_work').on(table.work), index('unsettled_face').on(table.face)],
)

/** The cores that share the database, as long as they renew what they are here by. */
export const cores = sqliteTable('cores', {
  /** A UUID, of one run of one core. */
  id: text('id').primaryKey(),
  /** Until when it counts as alive: milliseconds since 1970 by the database's clock. */
  ends: integer('ends', { mode: 'number' }).notNull(),
  /** What it has to have in common with the others; null for a command, which answers nobody. */
  shares: text('shares', { mode: 'json' }).$type<SharedSettings>(),
})

/**
 * The audit log: who changed what, and when. Each entry's hash is of its columns and of the hash before it. Triggers refuse
 * to change an entry, and to delete one that no later entry says was pruned.
 */
export const audit = sqliteTable('audit', {
  /** Counts up by one. */
  seq: integer('seq', { mode: 'number' }).primaryKey(),
  time: micros('time').notNull(),
  /** `token <id>`, `operator <account>` or `service`. */
  actor: text('actor').notNull(),
  /** Whose things were changed; null where no owner's were. */
  owner: text('owner'),
  action: text('action').notNull(),
  /** JSON, exactly as it was hashed: ids and counts. */
  subject: text('subject').notNull(),
  /** SHA-256, hexadecimal. */
  hash: text('hash').notNull(),
})

/** The installation that the metadata belongs to (files/installation.ts): one row, from the first start on. */
export const installation = sqliteTable('installation', { id: text('id').primaryKey() })

/** The sums over the rows of the other tables, by which damage is found: see sums.ts. Empty at a server. */
export const sums = sqliteTable('sums', {
  /** The table that it is of. */
  name: text('name').primaryKey(),
  /** The columns that it covers, in their order. */
  columns: text('columns').notNull(),
  /** How many rows there are. */
  count: integer('count', { mode: 'number' }).notNull(),
  /** Of the hashes of all rows, modulo 2^48. */
  sum: integer('sum', { mode: 'number' }).notNull(),
})
