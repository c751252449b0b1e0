/** The alerts that the service keeps: filters, and who saw them. */
import { insertUser } from '#core/metadata/access/users.ts'
import { listAlertHistory, markAlertSeen } from '#core/operations/alerts/alerts.ts'
import { subscribeBrowser } from '#core/operations/alerts/notifications.ts'
import { deleteFace } from '#core/operations/consistency/deletions.ts'
import { BROWSER } from '#test/support/operation-samples.ts'
import { OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { tokenIn } from '../../http/token.ts'
import { cameraOf, createGallery, emptyWorld, enrolOne, testAlert, type World } from '../world.ts'
import { BY, createRule, evaluate, FACE } from './shared.ts'

type Asked = Partial<Parameters<typeof listAlertHistory>[1]>

const NO_FILTER = { cameras: [] }

const history = (world: World, { filter, ...asked }: Asked = {}, owner = OWNER) =>
  listAlertHistory(world, { owner, limit: 100, ...asked, filter: { ...NO_FILTER, ...filter } })

/** The faces of the alerts, newest first. */
const facesOf = async (world: World, asked?: Asked) =>
  (await history(world, asked)).alerts.map(({ face }) => face!.id)

/** Two alerts of a rule about everybody, the second also of a rule about a gallery; a test, and a notification of each. */
async function furnished() {
  const world = await emptyWorld()
  await tokenIn(world)
  const [door, yard] = [await cameraOf(world), await cameraOf(world)]
  await createGallery(world, 'staff')
  const all = await createRule(world, { name: 'all', url: '', browsers: true })
  const staff = await createRule(world, { name: 'staff', url: '', gallery: 'staff', threshold: 0.5 })
  await subscribeBrowser(world, { ...BY, ...BROWSER })
  const [first, second] = [
    await enrolOne(world, FACE, { camera: door, timestamp: 1e15 }),
    await enrolOne(world, FACE, { camera: yard, galleries: ['staff'], timestamp: 2e15 }),
  ]
  await testAlert(world, all.id)
  await evaluate(world)
  return { world, door, first, second, all, staff }
}

it('lists the alerts of all rules with their faces, and no tests', async () => {
  const { world, first, second, all, staff } = await furnished()
  const { alerts, unseen } = await history(world)
  expect(alerts.map(({ alert, face }) => [alert.name, face!.id])).toEqual(
    expect.arrayContaining([
      ['all', first],
      ['all', second],
    ]),
  )
  expect(unseen).toBe(alerts.length)
  expect(new Set(alerts.map(({ alert }) => alert.id))).toEqual(new Set([all.id, staff.id]))
  expect((await history(world, {}, OTHER_OWNER)).unseen).toBe(0)
  await deleteFace(world, { ...BY, id: first })
  expect(await facesOf(world, { alert: all.id })).toEqual([second])
})

it('selects by rule, camera, gallery of the rule or of the face, time, event and page', async () => {
  const { world, door, first, second, all, staff } = await furnished()
  expect(await facesOf(world, { alert: all.id })).toEqual([second, first])
  expect(await facesOf(world, { alert: all.id, filter: { cameras: [door] } })).toEqual([first])
  expect(await facesOf(world, { alert: all.id, filter: { cameras: [], gallery: 'staff' } })).toEqual([second])
  const ofGallery = await history(world, { alert: staff.id, filter: { cameras: [], gallery: 'staff' } })
  expect(ofGallery.alerts.length).toBeGreaterThan(0)
  expect(await facesOf(world, { alert: all.id, filter: { cameras: [], end: 1e15 } })).toEqual([first])
  expect(await facesOf(world, { alert: all.id, filter: { cameras: [], start: 1e15 + 1 } })).toEqual([second])
  const page = await history(world, { alert: all.id, limit: 1 })
  expect(page).toMatchObject({ older: true, alerts: [{ face: { id: second } }] })
  expect(await facesOf(world, { alert: all.id, maxId: page.last })).toEqual([first])
  expect(await facesOf(world, { alert: all.id, event: page.alerts[0]!.event_id! })).toEqual([second])
})

it('says who saw an alert first, until the mark is taken back', async () => {
  const { world, all } = await furnished()
  const { database } = world
  await insertUser(database, {
    id: 'cccccccccccc',
    owner: OWNER,
    name: 'Ann Lee',
    role: 'manage',
    created: 0,
  })
  await database.run(`INSERT INTO tokens (id, hash, owner, name, created, user)
    VALUES ('aaaaaaaaaaaa', 'a', '${OWNER}', 'Ann Lee', 0, 'cccccccccccc')`)
  const { alerts, unseen } = await history(world, { alert: all.id })
  const { id } = alerts[0]!
  const mark = (by: string, seen = true) => markAlertSeen(world, { owner: OWNER, by, id, seen })
  const seen = { by: 'Ann Lee', time: expect.stringMatching(/^20/) }
  expect(await mark('aaaaaaaaaaaa')).toEqual({ seen, unseen: unseen - 1 })
  expect(await mark(TOKEN)).toEqual({ seen, unseen: unseen - 1 })
  expect(await history(world, { alert: all.id, seen: true })).toMatchObject({ alerts: [{ id, seen }] })
  expect((await history(world, { seen: false })).alerts).toHaveLength(unseen - 1)
  expect(await mark(TOKEN, false)).toEqual({ unseen })
  expect((await mark(TOKEN)).seen!.by).toBe('')
  const ids = (await history(world)).alerts.map(one => one.id)
  const markAll = (id: number) => markAlertSeen(world, { ...BY, id, seen: true, earlier: true })
  await expect(markAll(ids[0]! + 1)).toBeRefused('NOT_FOUND')
  expect((await markAll(ids.at(-1))).unseen).toBe(unseen - 2)
  expect((await markAll(ids[0]!)).unseen).toBe(0)
})
