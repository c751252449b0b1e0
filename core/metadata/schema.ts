/** The tables of the metadata. */
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
import { FOOTAGE_KINDS } from '../../contract/limits/cameras.ts'
import type { CameraOptions } from '../../contract/model/camera.ts'
import { REVIEWS } from '../../contract/model/face.ts'
import type { Quality } from '../../contract/model/face-details.ts'
import type { SharedSettings } from './connection/shared-settings.ts'

/** The database's time in Unix milliseconds. */
export const NOW_MS = sql<number>`CAST(unixepoch('subsec') * 1000 AS INTEGER)`

/** A column of microseconds since 1970. */
export const micros = (name = '') => integer(name)

/** A column of a value as JSON. */
export const json = <Value>(name = '') => text(name, { mode: 'json' }).$type<Value>()

/** A column of a truth value, which is false at first. */
export const flag = (name = '') => integer(name, { mode: 'boolean' }).notNull().default(false)

/** Days after which faces are deleted; null for never. */
const retentionDays = () => integer('retention_days')

/** Owners: the tenants that tokens and faces belong to. */
export const owners = sqliteTable(
  'owners',
  {
    /** 24 hexadecimal digits. */
    id: text().primaryKey(),
    name: text().notNull(),
    created: micros().notNull(),
    /** Applies to faces in no named gallery and of no camera. */
    retentionDays: retentionDays(),
    /** Being deleted: their tokens are invalid, and their data is deleted in batches. */
    deleting: flag('going'),
    /** Increments with changes that cores must not make concurrently; see revisions.ts. */
    revision: integer().notNull().default(0),
    /** Greatest id of a person when persons were last deleted or merged. New persons get higher ids. */
    lastPerson: integer('last_person').notNull().default(0),
  },
  table => [uniqueIndex('owners_name').on(table.name)],
)

/** The owner of a row, which is deleted with the owner. */
export const ownerColumn = () =>
  text('owner')
    .notNull()
    .references(() => owners.id, { onDelete: 'cascade' })

/** Named galleries. `default` has no row: it holds every face. */
export const galleries = sqliteTable(
  'galleries',
  {
    owner: ownerColumn(),
    name: text().notNull(),
    created: micros().notNull(),
    /** Being deleted: callers do not see it, and its faces are deleted in batches. */
    deleting: flag('going'),
    retentionDays: retentionDays(),
    /** What pages show in place of the name; null for the name. */
    displayName: text('display_name'),
  },
  table => [primaryKey({ columns: [table.owner, table.name] })],
)

/** Cameras. Faces keep the id of a deleted camera. */
export const cameras = sqliteTable(
  'cameras',
  {
    /** 32 hexadecimal digits. */
    id: text().primaryKey(),
    owner: ownerColumn(),
    created: micros().notNull(),
    meta: text(),
    url: text(),
    detector: text(),
    rot: json<[number, number, number, number]>(),
    roi: json<[number, number, number, number]>(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    retentionDays: retentionDays(),
    options: json<CameraOptions>(),
    /** Deleted. The row stays, without its description, while faces of the camera exist: its retention applies to them. */
    deleting: flag('going'),
  },
  table => [index('cameras_owner').on(table.owner)],
)

/** Persons. A face's `person_id` refers to one when it is a number. A person can have no faces. */
export const persons = sqliteTable(
  'persons',
  {
    owner: ownerColumn(),
    id: integer().notNull(),
    meta: text().notNull(),
    /** What foldName makes of the meta; null while it is not filled. See person-names.ts. */
    nameFolded: text('name_folded'),
    /** The person is ignored: no rule alerts to it, and the faces that recognise it outlive their retention. */
    silent: flag(),
    /** The face that a user chose to represent the person. It counts while it is a face of the person. */
    portrait: integer(),
    /** By the id of each person that was merged into this one, also through others: the id of its target. Null for none. */
    merged: json<Record<number, number>>(),
  },
  table => [
    primaryKey({ columns: [table.owner, table.id] }),
    index('persons_name').on(table.owner, table.nameFolded),
  ],
)

/** Faces. A face exists exactly when it has a row here, whatever the vector store and the pictures contain. */
export const faces = sqliteTable(
  'faces',
  {
    /** The rowid itself: an index on the owner is then also sorted by id. */
    id: integer().primaryKey(),
    owner: ownerColumn(),
    timestamp: micros().notNull(),
    photo: text().notNull(),
    photoHash: text('photo_hash').notNull(),
    x1: integer().notNull(),
    y1: integer().notNull(),
    x2: integer().notNull(),
    y2: integer().notNull(),
    meta: text().notNull(),
    /** A number or a string, distinguished by its JSON encoding. */
    personId: json<number | string>('person_id'),
    /** A user confirmed the person of the face: this face recognises the person, too. */
    confirmed: flag(),
    /** Of a face without a person: the person that it probably shows, and the confidence (0..1). */
    candidate: integer(),
    candidateConfidence: real('candidate_confidence'),
    camera: text('cam_id'),
    age: real(),
    gender: text(),
    emotions: json<string[]>(),
    quality: json<Quality>(),
    liveness: real(),
    /** The lower of quality and clearness, 0..1, of faces that are covered, or enrolled while persons are identified. */
    measuredQuality: real('measured_quality'),
    detectorInfo: json<unknown>('detector_info'),
    /** Whether pictures were stored at its enrolment. */
    pictured: integer({ mode: 'boolean' }).notNull().default(true),
    /** Whether the snapshot and the clip of its event are stored. */
    snapshot: flag(),
    clip: flag(),
    /** Decision of a user about the face; see operations/galleries/check-gallery.ts. */
    review: text({ enum: REVIEWS }),
  },
  table => [
    index('faces_owner').on(table.owner),
    index('faces_meta').on(table.owner, table.meta),
    // For the history: faces of cameras, and of one person, newest last.
    index('faces_events').on(table.owner).where(sql`cam_id IS NOT NULL`),
    index('faces_person').on(table.owner, table.personId).where(sql`person_id IS NOT NULL`),
    // For persons on one photo.
    index('faces_photo').on(table.owner, table.photoHash).where(sql`person_id IS NOT NULL`),
    index('faces_confirmed').on(table.owner, table.personId).where(sql`confirmed = 1`),
    index('faces_candidate').on(table.owner, table.candidate).where(sql`candidate IS NOT NULL`),
    // For friends: when a camera saw a person.
    index('faces_sightings')
      .on(table.owner, table.personId, table.camera, table.timestamp)
      .where(sql`person_id IS NOT NULL AND cam_id IS NOT NULL`),
  ],
)

/** A face, with which the row is deleted. */
export const faceColumn = () =>
  integer('face')
    .notNull()
    .references(() => faces.id, { onDelete: 'cascade' })

/**
 * The faces that cameras posted, in the order of their commits: a database writes in sequence. Ids of faces have another order,
 * because they are chosen before the commit. Faces of versions without this table are not listed.
 */
export const events = sqliteTable(
  'events',
  {
    /** Rises with each commit, and never repeats. About the time in microseconds since 1970; see positions.ts. */
    seq: integer().primaryKey({ autoIncrement: true }),
    owner: text().notNull(),
    face: faceColumn(),
    /** The snapshot or clip of the event. NULL: the event is about the face, or a better picture. */
    added: text({ enum: FOOTAGE_KINDS }),
  },
  // `seq` is the rowid: an index on the owner is also sorted by it.
  table => [index('events_owner').on(table.owner), index('events_face').on(table.face)],
)

/** The faces in named galleries. */
export const memberships = sqliteTable(
  'memberships',
  {
    owner: text().notNull(),
    gallery: text().notNull(),
    face: faceColumn(),
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

/** Ids of the faces that each enrolment with an Idempotency-Key stored. No other data of a deleted face stays here. */
export const rememberedAnswers = sqliteTable(
  'remembered_answers',
  {
    owner: ownerColumn(),
    key: text().notNull(),
    /** Hash of the request, which detects another request under the same key. */
    requestHash: text('request_hash').notNull(),
    /** Ids of the faces, in the order of the response. */
    faces: json<number[]>().notNull(),
    created: micros().notNull(),
  },
  table => [
    primaryKey({ columns: [table.owner, table.key] }),
    index('remembered_answers_created').on(table.created),
  ],
)

/**
 * The intent log: faces whose vectors or pictures may not match their rows. An intent is written before an enrolment or
 * a change touches these, and with the transaction that deletes a row. It is deleted when they match again. In SQL the table
 * and its column `work` keep the names of version 0.2: its cores share the database with new ones during an upgrade.
 */
export const intents = sqliteTable(
  'unsettled',
  {
    id: integer().primaryKey(),
    /** UUID of the enrolment, change or deletion. */
    operation: text('work').notNull(),
    /** The core that runs the operation, when several share the database. */
    core: text(),
    owner: text().notNull(),
    face: integer().notNull(),
    /** Named galleries that may hold a vector of the face and should not; `default` is implied. */
    galleries: json<string[]>().notNull(),
    /** The person that the operation deletes unless other faces are left; null for none. */
    person: integer(),
    /** Unix milliseconds. */
    since: integer().notNull(),
  },
  table => [index('unsettled_work').on(table.operation), index('unsettled_face').on(table.face)],
)

/** Leases of the cores that share the database. */
export const cores = sqliteTable('cores', {
  /** UUID of one run of a core. */
  id: text().primaryKey(),
  /** End of the lease: Unix milliseconds by the database's clock. */
  ends: integer().notNull(),
  /** Settings that must match in all cores; null for a command, which serves no requests. */
  shares: json<SharedSettings>(),
})

/**
 * The audit log: who changed what, and when. Each entry's hash covers its columns and the hash before it. Triggers
 * refuse to change an entry, and to delete an entry that no later entry records as pruned.
 */
export const audit = sqliteTable(
  'audit',
  {
    /** Increments by one. */
    seq: integer().primaryKey(),
    time: micros().notNull(),
    /** `token <id>`, `user <id> <name>`, `operator <account>` or `service`. */
    actor: text().notNull(),
    /** The owner whose data was changed; null when the action concerned no owner. */
    owner: text(),
    action: text().notNull(),
    /** JSON, exactly as it was hashed: ids, counts and fixed words. */
    subject: text().notNull(),
    /** SHA-256, hexadecimal. */
    hash: text().notNull(),
  },
  table => [index('audit_owner').on(table.owner)],
)

/** Ed25519 keys that sign exported evidence, as PEM. The newest one signs; earlier ones have their public key only. */
export const evidenceKeys = sqliteTable('evidence_keys', {
  id: integer().primaryKey({ autoIncrement: true }),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key'),
  created: micros().notNull(),
})

/** The installation that the metadata belongs to (files/record.ts): one row, written at the first start. */
export const installation = sqliteTable('installation', { id: text('id').primaryKey() })

/** Checksums over the rows of all other tables; see row-sums.ts. Empty at a server. */
export const sums = sqliteTable('sums', {
  /** Name of the table. */
  name: text().primaryKey(),
  /** The covered columns, in order. */
  columns: text().notNull(),
  /** Number of rows. */
  count: integer().notNull(),
  /** Sum of the hashes of all rows, modulo 2^48. */
  sum: integer().notNull(),
})
