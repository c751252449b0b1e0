/** Mends faces whose `person_id` is a text of digits, as versions until 0.2.0 stored it: what is stored is the number. */
import { type SQL, sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { FACE_LIMITS } from '../../contract/limits/faces.ts'

/** The text of digits in a column of JSON, as a number. */
const numberIn = (column: string): SQL => sql.raw(`CAST(trim(${column}, '"') AS INTEGER)`)

/** Faces whose person is a text of 1 to 16 digits within the range of ids. The range of texts reads only these of the index. */
const mendable = sql.raw(`FROM owners JOIN faces ON faces.owner = owners.id
  WHERE faces.person_id IS NOT NULL AND faces.person_id >= '"0' AND faces.person_id < '":'
    AND length(faces.person_id) BETWEEN 3 AND 18 AND substr(faces.person_id, 2, length(faces.person_id) - 2) NOT GLOB '*[^0-9]*'
    AND CAST(trim(faces.person_id, '"') AS INTEGER) <= ${FACE_LIMITS.givenPersonId}`)

/**
 * Each text becomes its number in faces and in deliveries, all or nothing. An unknown number becomes a person with the meta of
 * its first face. Runs at each start: a core of an earlier version may still store texts at a server.
 */
export async function mendTextPersons(database: LibSQLDatabase): Promise<void> {
  if ((await database.values(sql`SELECT 1 ${mendable} LIMIT 1`)).length === 0) return
  const person = numberIn('faces.person_id')
  await database.batch([
    // Cores that assign a new person at the same time read again.
    database.run(sql`UPDATE owners SET revision = revision + 1 WHERE id IN (SELECT owners.id ${mendable})`),
    database.run(sql`
      INSERT OR IGNORE INTO persons (owner, id, meta)
      SELECT owner, person, meta FROM (
        SELECT faces.owner, ${person} AS person, faces.meta, min(faces.id) ${mendable} GROUP BY faces.owner, person
      )`),
    database.run(sql`
      UPDATE deliveries SET person = CAST(${numberIn('person')} AS TEXT)
      WHERE face IN (SELECT faces.id ${mendable})`),
    database.run(sql`
      UPDATE faces SET person_id = CAST(${numberIn('person_id')} AS TEXT)
      WHERE id IN (SELECT faces.id ${mendable})`),
  ])
}
