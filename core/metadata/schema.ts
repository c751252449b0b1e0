/** The tables of the metadata: owners, their tokens, galleries and faces, and the answers kept for repeated requests. */
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

/** Microseconds since 1970, as everywhere in core. */
const micros = (name: string) => integer(name, { mode: 'number' })

/** Who faces belong to: the tenant behind a token. */
export const owners = sqliteTable(
  'owners',
  {
    /** 24 hexadecimal digits. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    created: micros('created').notNull(),
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
    revoked: micros('revoked'),
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
  },
  table => [primaryKey({ columns: [table.owner, table.name] })],
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
    detectorInfo: text('detector_info', { mode: 'json' }).$type<unknown>(),
  },
  table => [index('faces_owner').on(table.owner)],
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

/** The first answer to each enrolment that came with an Idempotency-Key. */
export const rememberedAnswers = sqliteTable(
  'remembered_answers',
  {
    owner: text('owner')
      .notNull()
      .references(() => owners.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    /** Of the request, so that another request under the same key is noticed. */
    requestHash: text('request_hash').notNull(),
    answer: text('answer', { mode: 'json' }).notNull().$type<unknown>(),
    created: micros('created').notNull(),
  },
  table => [
    primaryKey({ columns: [table.owner, table.key] }),
    index('remembered_answers_created').on(table.created),
  ],
)
