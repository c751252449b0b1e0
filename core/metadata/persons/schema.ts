/** The tables of decisions about persons, of their grouping, of how alike people are, and of settings. */
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { SEARCH_TARGETS } from '../../../contract/model/face.ts'
import { faceColumn, faces, json, ownerColumn, persons } from '../schema.ts'

/** Faces that a user took away from a person. Similar new faces do not get that person either. */
export const personExclusions = sqliteTable(
  'person_exclusions',
  {
    owner: ownerColumn(),
    face: faceColumn(),
    /** Id of the person that the face is not of. */
    person: integer().notNull(),
  },
  table => [
    primaryKey({ columns: [table.face, table.person] }),
    foreignKey({
      name: 'person_exclusions_person',
      columns: [table.owner, table.person],
      foreignColumns: [persons.owner, persons.id],
    }).onDelete('cascade'),
    index('person_exclusions_persons').on(table.owner, table.person),
  ],
)

/** A change of a person. `faces`: of all metas of the faces, too. */
export type PersonChange =
  | { kind: 'update'; meta: string; silent?: boolean; portrait?: number; faces: boolean }
  | { kind: 'merge'; others: readonly number[] }
  | { kind: 'delete' }

/** Changes of persons that take several transactions; see person-changes.ts. A row outlives its person. */
export const personChanges = sqliteTable('person_changes', {
  /** UUID of the operation. */
  operation: text().primaryKey(),
  /** The core that runs the operation, when several share the database. */
  core: text(),
  owner: ownerColumn(),
  person: integer().notNull(),
  change: json<PersonChange>().notNull(),
})

/** How alike the people of a large gallery are; see operations/search/judgement. */
export const alikenesses = sqliteTable(
  'false_alarms',
  {
    owner: ownerColumn(),
    /** Named gallery, or `default`. */
    gallery: text().notNull(),
    target: text({ enum: SEARCH_TARGETS }).notNull(),
    /** How it was measured: the method, and the calibration. */
    scale: text().notNull(),
    /** Faces of the gallery at the time of the measurement. */
    faces: integer().notNull(),
    people: integer('probes').notNull(),
    /** Of pairs of a sample of the people; see operations/search/judgement/threshold.ts. */
    alikeness: json<{
      pairs: number
      mean: number
      deviation: number
      hundredth: number
      thousandth: number
    }>('tail'),
  },
  table => [primaryKey({ columns: [table.owner, table.gallery, table.target] })],
)

/** Settings that were changed while the service ran; see contract/model/service-state.ts. */
export const settings = sqliteTable('settings', {
  name: text().primaryKey(),
  value: json<unknown>().notNull(),
})

/** The grouping of the stored faces of an owner to persons; see operations/persons/group.ts. */
export const personGroupings = sqliteTable('person_groupings', {
  owner: ownerColumn().primaryKey(),
  state: text({ enum: ['running', 'stopped', 'complete', 'undoing'] }).notNull(),
  /** Id of the last examined face. */
  position: integer().notNull(),
  /** Id of the last face to examine. */
  last: integer().notNull(),
  /** Faces without a person when it began, and the number of examined ones. */
  faces: integer().notNull(),
  examined: integer().notNull(),
  /** Faces that got a person, and new persons, since the last undo. */
  assigned: integer().notNull(),
  persons: integer().notNull(),
  /** Id of the last person that was compared with others, after all faces. Null: none yet. */
  joined: integer(),
})

/** Faces that got their person by a grouping, for its way back. */
export const groupedFaces = sqliteTable(
  'grouped_faces',
  {
    face: integer()
      .primaryKey()
      .references(() => faces.id, { onDelete: 'cascade' }),
    owner: ownerColumn(),
    /** Id of the person. The face may have another person since. */
    person: integer().notNull(),
    /** The face had no meta, and got the name of the person. */
    named: integer({ mode: 'boolean' }).notNull(),
    /** Id of the person that the face had, and that was joined to this one. Null: the face had none. */
    before: integer(),
  },
  table => [index('grouped_faces_person').on(table.owner, table.person)],
)

/** Persons that a grouping made, and no user has changed since. */
export const groupedPersons = sqliteTable(
  'grouped_persons',
  {
    owner: ownerColumn(),
    person: integer().notNull(),
  },
  table => [
    primaryKey({ columns: [table.owner, table.person] }),
    foreignKey({
      name: 'grouped_persons_person',
      columns: [table.owner, table.person],
      foreignColumns: [persons.owner, persons.id],
    }).onDelete('cascade'),
  ],
)
