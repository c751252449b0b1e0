/** The indexes that SQLite chooses: queries that run often, or for many faces, read only the rows that they are about. */

import { sql } from 'drizzle-orm'
import { mergeDeliveries, moveDeliveries } from '#core/metadata/alerts/rules.ts'
import { closeDatabase, type Database, openDatabase } from '#core/metadata/database.ts'
import { takeBackFaces } from '#core/metadata/persons/person-groupings.ts'
import { personsOnSamePhotos } from '#core/metadata/persons/person-summaries.ts'
import { exclusionsOf, keepGrouped, personsOfPhoto } from '#core/metadata/persons/template-faces.ts'
import { ownersAbove } from '#core/metadata/positions.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '../folder.ts'

const IDS = times(500, id => id)

const FACE = { owner: OWNER, photoHash: '', x1: 0, y1: 0, x2: 1, y2: 1 }

const QUERIES: readonly ((database: Database) => PromiseLike<unknown>)[] = [
  database => takeBackFaces(database, OWNER, IDS.length, undefined),
  database => ownersAbove(database, 7),
  database => exclusionsOf(database, OWNER, IDS),
  database => personsOfPhoto(database, FACE, [1, 2]),
  database => personsOnSamePhotos(database, OWNER, 1, [2, 3]),
  database => mergeDeliveries(database, OWNER, { id: 1, others: IDS.slice(2), allExist: sql`1` }),
  database => moveDeliveries(database, OWNER, IDS),
  database => database.batch(keepGrouped(database, OWNER, { faces: IDS, persons: [1] })),
]

/** A step that reads a whole table, or all rows of an owner. An owner has few rules, and takeBackFaces reads its first grouped faces. */
const READS_ALL =
  /^(SCAN (faces|events|deliveries)\b|SEARCH (?!alerts|grouped_faces USING COVERING).* \(owner=\?\))/

it('queries read only the rows that they are about', async () => {
  const database = await openDatabase(await temporaryFolder())
  await database.run(sql`INSERT INTO owners (id, name, created) VALUES (${OWNER}, 'first', 0)`)
  await database.run(sql`
    INSERT INTO faces (id, owner, timestamp, photo, photo_hash, x1, y1, x2, y2, meta, person_id)
    SELECT value, ${OWNER}, 0, '', '', 0, 0, 1, 1, '', '1' FROM json_each(${JSON.stringify(IDS)})`)
  await database.run(sql`INSERT INTO grouped_faces SELECT id, owner, 2, 0, NULL FROM faces`)
  const asked = [vi.spyOn(database.$client, 'execute'), vi.spyOn(database.$client, 'batch')]
  for (const query of QUERIES) await query(database)
  const statements = asked.flatMap(({ mock }) => mock.calls.flatMap(([given]) => given))
  for (const spy of asked) spy.mockRestore()
  const steps: string[] = []
  for (const statement of statements as { sql: string; args: [] }[]) {
    const explained = { ...statement, sql: `EXPLAIN QUERY PLAN ${statement.sql}` }
    steps.push(...(await database.$client.execute(explained)).rows.map(({ detail }) => String(detail)))
  }
  expect(steps).toContain('SEARCH faces USING INTEGER PRIMARY KEY (rowid=?)')
  // Of one face, and of 500 in three steps.
  expect(steps.filter(step => step.includes('faces_photo'))).toHaveLength(4)
  expect(steps.filter(step => READS_ALL.test(step))).toEqual([])
  await closeDatabase(database)
})
