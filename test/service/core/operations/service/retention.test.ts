/** Retention: expired faces are deleted completely, by the clock of the service, and no other faces. */
import { idSource } from '#contract/ids.ts'
import { nextEntries } from '#core/metadata/audit-log/entries.ts'
import { retainingOwners } from '#core/metadata/service/expired-faces.ts'
import { deleteCamera, listCameras } from '#core/operations/cameras/cameras.ts'
import { changeGallery, createGallery } from '#core/operations/galleries/galleries.ts'
import { deleteExpiredFaces } from '#core/operations/service/retention.ts'
import type { Services } from '#core/operations/services.ts'
import { PicturesUnavailable } from '#core/pictures/objects.ts'
import { FACE, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import {
  cameraOf,
  emptyWorld,
  enrolAlone,
  enrolOne,
  expectKept,
  getFace,
  getPerson,
  keptOf,
  keyOf,
  keysOf,
  reconcileNow,
  updatePerson,
  type World,
  withBatches,
} from '../world.ts'

const DAY_MS = 86_400_000

let world: World
/** Unix milliseconds. */
let clock: number
beforeEach(async () => {
  clock = Date.UTC(2026, 0, 1)
  const now = () => clock
  world = { ...(await emptyWorld()), now, nextId: idSource(now) }
})

const gallery = (name: string, retentionDays?: number, owner = OWNER) =>
  createGallery(world, { owner, gallery: name, ...(retentionDays !== undefined && { retentionDays }) })

const camera = (retention_days?: number) => cameraOf(world, OWNER, { meta: 'door', retention_days })

const rest = (days: number) => changeGallery(world, { owner: OWNER, gallery: 'default', retentionDays: days })

const isThere = (id: number) =>
  getFace(world, id).then(
    () => true,
    () => false,
  )

/** Runs the sweep this many days after the beginning. */
const sweptAfter = (days: number, services: Services = world) => {
  clock = Date.UTC(2026, 0, 1) + days * DAY_MS
  return deleteExpiredFaces(services)
}

/** Makes a person one to ignore, or no longer. */
const ignore = (id: number, silent: boolean) => updatePerson(world, id, { meta: '', faces: false, silent })

/** Enrols faces of a person with these qualities. Returns their ids. */
async function enrolPerson(personId: number, qualities: readonly number[]) {
  const ids = []
  for (const quality of qualities) ids.push((await enrolAlone(world, FACE, { personId, quality })).id)
  return ids
}

describe('deleteExpiredFaces, of a person to ignore,', () => {
  it('keeps rows and vectors of eight faces: confirmed ones, then the best ones', async () => {
    await rest(5)
    const ids = await enrolPerson(7, [0.9, 0.3, 0.8, 0.7, 0.2, 0.6, 0.5, 0.95, 0.4, 0.99, 0.1])
    const others = await enrolPerson(8, [0.9])
    await world.database.run(`UPDATE faces SET confirmed = 1 WHERE id = ${ids[4]}`)
    await world.database.run(`UPDATE faces SET review = 'set_aside' WHERE id = ${ids[9]}`)
    await world.database.run(`UPDATE faces SET snapshot = 1, clip = 1 WHERE id = ${ids[0]}`)
    for (const kind of ['snapshot', 'clip'] as const)
      await world.pictures.put({ owner: OWNER, id: ids[0]!, kind }, new Uint8Array([1]))
    await ignore(7, true)
    expect(await sweptAfter(6)).toBe(4)
    const stay = ids.filter((_, i) => ![1, 9, 10].includes(i))
    expect(await Promise.all(others.map(isThere))).toEqual([false])
    expect(await keysOf(world)).toEqual({ ...keptOf(...stay.map(id => ({ id }))), pictures: [] })
    const { face } = await getFace(world, ids[0]!)
    expect(face).toMatchObject({ person_id: 7, silent: true, thumbnail: '', normalized: '' })
    expect([face.snapshot, face.clip]).toEqual([undefined, undefined])
    expect((await getPerson(world, 7)).person.silent).toBe(true)
    // The next runs find nothing to do.
    const reached = { ...world, pictures: { ...world.pictures, remove: () => Promise.reject(new Error()) } }
    expect(await sweptAfter(400, reached)).toBe(0)
  })

  it('deletes them when the person is no longer one to ignore', async () => {
    await rest(5)
    await enrolPerson(7, [0.9, 0.8])
    await ignore(7, true)
    expect(await sweptAfter(6)).toBe(0)
    await ignore(7, false)
    expect(await sweptAfter(6)).toBe(2)
    await expectKept(world)
    await expect(getPerson(world, 7)).toBeRefused('NOT_FOUND')
  })

  it('deletes other faces while the bucket is unavailable, and their pictures when it is back', async () => {
    await rest(5)
    const [id] = await enrolPerson(7, [0.9])
    const loose = await enrolOne(world, FACE)
    await ignore(7, true)
    const remove = () => Promise.reject(new PicturesUnavailable())
    expect(await sweptAfter(6, { ...world, pictures: { ...world.pictures, remove } })).toBe(1)
    expect([await isThere(loose), await isThere(id!)]).toEqual([false, true])
    expect((await keysOf(world)).pictures).toHaveLength(4)
    await sweptAfter(6)
    await reconcileNow(world)
    expect(await keysOf(world)).toEqual({ ...keptOf({ id: id! }), pictures: [] })
  })

  it('deletes their pictures again when it could not mark it', async () => {
    await rest(5)
    const [id] = await enrolPerson(7, [0.9])
    await ignore(7, true)
    const isPictured = async () =>
      (await world.database.run(`SELECT pictured FROM faces WHERE id = ${id}`)).rows[0]!.pictured
    const failing = withBatches(world, () => Promise.reject(new Error('away')))
    await expect(sweptAfter(6, failing)).rejects.toThrow('away')
    expect(await isPictured()).toBe(1)
    await sweptAfter(6)
    expect(await isPictured()).toBe(0)
  })
})

describe('deleteExpiredFaces', () => {
  it('deletes a face from every gallery when the retention of its gallery ends', async () => {
    await gallery('visitors', 30)
    await gallery('staff')
    const id = await enrolOne(world, FACE, { galleries: ['visitors', 'staff'] })
    const stays = await enrolOne(world, FACE, { galleries: ['staff'] })
    clock += 1000
    const later = await enrolOne(world, FACE, { galleries: ['visitors'] })
    expect(await sweptAfter(30)).toBe(0)
    clock += 1000
    expect(await deleteExpiredFaces(world)).toBe(1)
    expect(await isThere(id)).toBe(false)
    await expectKept(world, { id: stays, galleries: ['staff'] }, { id: later, galleries: ['visitors'] })
    expect(await sweptAfter(31)).toBe(1)
    expect(await sweptAfter(36_000)).toBe(0)
  })

  it('deletes a face when the retention of its camera ends, even if the camera is deleted', async () => {
    const [short, long, none] = [await camera(7), await camera(60), await camera()]
    const ids: number[] = []
    for (const id of [short, long, none]) ids.push(await enrolOne(world, FACE, { camera: id }))
    await deleteCamera(world, { owner: OWNER, id: long })
    expect(await listCameras(world, { owner: OWNER })).toMatchObject({ cameras: [{}, {}] })
    expect(await sweptAfter(8)).toBe(1)
    expect(await Promise.all(ids.map(isThere))).toEqual([false, true, true])
    expect(await sweptAfter(61)).toBe(1)
    expect(await Promise.all(ids.map(isThere))).toEqual([false, false, true])
    // The record of the deleted camera's retention is gone, too.
    await deleteCamera(world, { owner: OWNER, id: short })
    await sweptAfter(62)
    expect(await retainingOwners(world.database)).toEqual([])
  })

  it('deletes a face when the first of its retentions ends', async () => {
    await gallery('long', 90)
    await gallery('short', 10)
    const id = await enrolOne(world, FACE, { galleries: ['long', 'short'], camera: await camera(50) })
    expect(await sweptAfter(11)).toBe(1)
    expect(await isThere(id)).toBe(false)
  })

  it('applies the retention of default only to faces without a named gallery and camera', async () => {
    await rest(5)
    await gallery('staff')
    const loose = await enrolOne(world, FACE)
    const staff = await enrolOne(world, FACE, { galleries: ['staff'] })
    const posted = await enrolOne(world, FACE, { camera: await camera() })
    expect(await sweptAfter(6)).toBe(1)
    expect(await Promise.all([loose, staff, posted].map(isThere))).toEqual([false, true, true])
    await rest(0)
    const another = await enrolOne(world, FACE)
    expect(await sweptAfter(400)).toBe(0)
    expect(await isThere(another)).toBe(true)
  })

  it('counts from the enrolment, not from the timestamp of the face', async () => {
    await rest(5)
    const old = await enrolOne(world, FACE, { timestamp: 0 })
    const future = await enrolOne(world, FACE, { timestamp: Date.UTC(2100, 0, 1) * 1000 })
    expect(await sweptAfter(4)).toBe(0)
    expect(await sweptAfter(6)).toBe(2)
    expect(await Promise.all([old, future].map(isThere))).toEqual([false, false])
  })

  it('keeps a face of another owner in a gallery of the same name', async () => {
    await gallery('g', 5)
    await gallery('g', undefined, OTHER_OWNER)
    await enrolOne(world, FACE, { owner: OTHER_OWNER, galleries: ['g'] })
    expect(await sweptAfter(6)).toBe(0)
  })
})

it('deleteExpiredFaces deletes the stored answer of an Idempotency-Key after a day', async () => {
  await enrolOne(world, FACE, await keyOf('k', 'r'))
  const count = async () => (await world.database.run('SELECT key FROM remembered_answers')).rows.length
  await sweptAfter(0.9)
  expect(await count()).toBe(1)
  await sweptAfter(1.1)
  expect(await count()).toBe(0)
})

it('deleteExpiredFaces records the ids of the deleted faces in the audit log', async () => {
  await rest(5)
  const ids = [await enrolOne(world, FACE), await enrolOne(world, FACE)]
  expect(await sweptAfter(6)).toBe(2)
  const entries = await nextEntries(world.database, 0, 10)
  expect(entries).toMatchObject([{ actor: 'service', owner: OWNER, action: 'faces.delete' }])
  expect(JSON.parse(entries[0]!.subject)).toEqual({ because: 'retention', faces: ids })
})
