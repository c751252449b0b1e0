/** The tables of decisions about persons, and of the false alarms of searches. */
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { SEARCH_TARGETS } from '../../contract/model/face.ts'
import { faces, ownerColumn, persons } from './schema.ts'

/** Faces that somebody took away from a person. Similar new faces do not get that person either. */
export const personExclusions = sqliteTable(
  'person_exclusions',
  {
    owner: ownerColumn(),
    face: integer('face', { mode: 'number' })
      .notNull()
      .references(() => faces.id, { onDelete: 'cascade' }),
    /** Id of the person that the face is not of. */
    person: integer('person', { mode: 'number' }).notNull(),
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

/** How similar the people of a gallery are to others in it; see operations/search/false-alarms.ts. */
export const falseAlarms = sqliteTable(
  'false_alarms',
  {
    owner: ownerColumn(),
    /** Named gallery, or `default`. */
    gallery: text('gallery').notNull(),
    target: text('target', { enum: SEARCH_TARGETS }).notNull(),
    /** Embedder and calibration of the confidences. */
    scale: text('scale').notNull(),
    /** Faces of the gallery at the time of the measurement. */
    faces: integer('faces', { mode: 'number' }).notNull(),
    /** Searches of the measurement. */
    probes: integer('probes', { mode: 'number' }).notNull(),
    /** Tail of the best confidences of the probes (calibration/pareto.ts). Null: the gallery has too few people. */
    tail: text('tail', { mode: 'json' }).$type<{
      begin: number
      above: number
      scale: number
      shape: number
    }>(),
  },
  table => [primaryKey({ columns: [table.owner, table.gallery, table.target] })],
)
