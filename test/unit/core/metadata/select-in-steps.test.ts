/** Lists with a costly condition: one statement tests few rows, and others are served between the statements. */
import { alertHistory } from '#core/metadata/alerts/alert-history.ts'
import { deliveriesAbove } from '#core/metadata/alerts/deliveries.ts'
import { entriesOf } from '#core/metadata/audit-log/entries.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { eventsAbove, nextEvents } from '#core/metadata/events/events.ts'
import { facePage } from '#core/metadata/faces/faces.ts'
import { metaPage } from '#core/metadata/faces/metas.ts'
import { personsOnSamePhotos } from '#core/metadata/persons/person-summaries.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { temporaryFolder } from '../folder.ts'

const RULE = { days: 30, within: 30 * 86_400_000_000 }
const FRIENDS = { cameras: [], friend: true }
const META = { meta: 'Ann', count: 2471, first: 30 }
const BOUNDS = { owner: OWNER, below: 2501, above: 0, minId: 0, limit: 5 }

it('others are served while lists look for their oldest row', async () => {
  const database = await openDatabase(await temporaryFolder())
  // The camera sees one person on the first 30 days, and others once.
  for (const statement of [
    `INSERT INTO owners (id, name, created) VALUES ('${OWNER}', 'first', 0)`,
    `INSERT INTO faces (id, owner, timestamp, photo, photo_hash, x1, y1, x2, y2, meta, person_id, cam_id)
      WITH ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids LIMIT 2500)
      SELECT id, '${OWNER}', id * 86400000000, '', '', 0, 0, 1, 1, iif(id < 30, '', 'Ann'), max(id, 30), 'door' FROM ids`,
    'INSERT INTO events (seq, owner, face) SELECT id, owner, id FROM faces',
    `INSERT INTO alerts (id, owner, created, name, enabled, url, conditions, secrets, origin, position)
      VALUES ('a', '${OWNER}', 0, '', 1, '', '{}', '[]', '', 0)`,
    `INSERT INTO deliveries (id, owner, alert, face, event, matches, state, created, due)
      SELECT id, owner, 'a', id, id, '[]', 'delivered', 0, 0 FROM faces`,
    `INSERT INTO faces (id, owner, timestamp, photo, photo_hash, x1, y1, x2, y2, meta, person_id)
      SELECT 3000 + id, owner, 0, '', iif(id < 600, id, 599), id, 0, id + 1, 1, '', iif(id < 600, 9000, 9001) FROM faces WHERE id <= 600`,
    `INSERT INTO audit (seq, time, actor, owner, action, subject, hash)
      SELECT id, 0, '', owner, '', json_object('face', id), '' FROM faces`,
  ])
    await database.run(statement)
  const execute = vi.spyOn(database.$client, 'execute')
  const order: unknown[] = []
  for (const read of [
    () => nextEvents(database, RULE, OWNER, FRIENDS, BOUNDS),
    () => eventsAbove(database, RULE, OWNER, FRIENDS, BOUNDS),
    () => deliveriesAbove(database, RULE, OWNER, FRIENDS, BOUNDS),
    () => alertHistory(database, RULE, OWNER, FRIENDS, BOUNDS),
    () => entriesOf(database, { object: 'face 30' }, BOUNDS),
    async () => (await metaPage(database, OWNER, { limit: 5, name: 'ann' })).metas,
    () => personsOnSamePhotos(database, OWNER, 9000, [9001]),
    async () => (await facePage(database, RULE, OWNER, { ...BOUNDS, events: FRIENDS })).faces,
  ]) {
    setImmediate(() => order.push('other'))
    order.push(await read())
  }
  const [face, numbered] = [[{ id: 30 }], [{ seq: 30 }]]
  const found = [face, numbered, face, face, numbered, [META], [9001], face]
  expect(order).toMatchObject(found.flatMap(rows => ['other', rows]))
  // Each list tests 2,500 rows in 10 statements.
  expect(execute.mock.calls.length).toBeGreaterThan(60)
  await closeDatabase(database)
})
