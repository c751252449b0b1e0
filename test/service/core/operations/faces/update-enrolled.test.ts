/** A better picture of a visit: the face keeps its id, its event comes once more, and rules alert again only for a new name. */
import type { RpcRequest } from '#contract/operations/messages.ts'
import { markFootage } from '#core/metadata/events/events.ts'
import { faces } from '#core/metadata/schema.ts'
import { deleteFace } from '#core/operations/consistency/deletions.ts'
import { searchHistory } from '#core/operations/events/history.ts'
import type { Services } from '#core/operations/services.ts'
import { BLUE, enrolment, faceOf, OWNER, RED } from '#test/support/sample-faces.ts'
import { BY, createRule, deliveriesOf, evaluate, nextItems, openedLive } from '../alerts/shared.ts'
import { createGallery, enrolFace, expectKept, keyOf, unsure, updateFace, withPersons } from '../world.ts'

const [POOR, BETTER] = [RED, BLUE]

/** Posts a picture of the visit `track`. */
const post = async (
  services: Services,
  pixels: typeof POOR,
  photo: string,
  changed: Partial<RpcRequest<'enrol'>>,
) => enrolFace(services, pixels, { photo, ...(await keyOf('track', photo)), ...changed })

/** `face` for each live event, `alert` for each alert; with `updated`. */
const followed = async (services: Services, count: number) =>
  (await nextItems(services, count)).map(({ face, alert }) =>
    [face ? 'face' : 'alert', (face ?? alert?.face)?.updated && 'updated'].filter(Boolean).join(' '),
  )

const alertsOf = async (services: Services, id: string) => (await deliveriesOf(services, id)).length

/** Services with a camera that know persons, and the same ones without persons. */
async function openedPersonal(options: Parameters<typeof withPersons>[1] = {}) {
  const { world: plain, camera } = await openedLive()
  return { plain, camera, world: withPersons(plain, { person_identify_global: true, ...options }) }
}

describe('an update', () => {
  it('replaces picture, vector and data under the same id, in all galleries, once for each picture, the snapshot last', async () => {
    const { world, camera } = await openedLive()
    await createGallery(world, 'door')
    const first = await post(world, POOR, 'a.jpg', { camera, galleries: ['door'] })
    const key = { owner: OWNER, id: first.id }
    const picture = await world.pictures.read(key, 'thumbnail')
    await world.pictures.put({ ...key, kind: 'snapshot' }, picture!)
    expect(await markFootage(world.database, { ...key, photoHash: 'abcd' }, 'snapshot')).toBe(true)
    const better = { camera, galleries: ['door'], timestamp: 5e6, update: true }
    const marks: boolean[] = []
    const watched = { ...world, pictures: { ...world.pictures } }
    watched.pictures.remove = async (keys, kinds) => {
      if (kinds) marks.push((await world.database.select().from(faces))[0]!.snapshot)
      return world.pictures.remove(keys, kinds)
    }
    const updated = await post(watched, BETTER, 'b.jpg', better)
    expect(marks).toEqual([false])
    expect(updated).toMatchObject({ id: first.id, photo: 'b.jpg', galleries: ['default', 'door'] })
    expect(updated.timestamp).toBe('1970-01-01T00:00:05.000000')
    expect(await world.pictures.read(key, 'thumbnail')).not.toEqual(picture)
    expect(await world.pictures.read(key, 'snapshot')).toBeUndefined()
    for (const gallery of ['default', 'door']) {
      const vector = await world.vectors.get({ gallery: `${OWNER}_${gallery}`, id: first.id })
      expect(vector![2]).toBeGreaterThan(vector![0]!)
    }
    expect(await post(world, BETTER, 'b.jpg', better)).toEqual(updated)
    await expectKept(world, { id: first.id, galleries: ['door'] })
    const history = searchHistory(world, { owner: OWNER, filter: { cameras: [] }, limit: 0 })
    expect((await history.next()).value).toHaveLength(1)
    expect(await followed(world, 3)).toEqual(['face', 'face updated', 'face updated'])
  })

  it('without an earlier request enrols, and leaves nothing of a face that was deleted', async () => {
    const { world, camera } = await openedLive()
    const { id } = await post(world, POOR, 'a.jpg', { camera, update: true })
    await deleteFace(world, { ...BY, id })
    const late = post(world, BETTER, 'b.jpg', { camera, update: true })
    await expect(late).toBeRefused('NOT_FOUND')
    const racing = { ...world, pictures: { ...world.pictures } }
    const second = await enrolFace(world, POOR, { camera, ...(await keyOf('other', 'a')) })
    racing.pictures.write = async pictures => {
      await world.pictures.write(pictures)
      await deleteFace(world, { ...BY, id: second.id })
    }
    const change = { camera, update: true, ...(await keyOf('other', 'b')) }
    await expect(enrolFace(racing, BETTER, change)).toBeRefused('NOT_FOUND')
    await expectKept(world)
  })

  it('leaves a clear picture where the new one is poor', async () => {
    const { world, camera } = await openedLive()
    const measured = (measuredQuality: number) =>
      enrolment(1).faces.map(face => ({ ...face, measuredQuality }))
    const clear = await post(world, BETTER, 'a.jpg', { camera, faces: measured(0.9) })
    const update = (photo: string, quality: number) =>
      post(world, POOR, photo, { camera, faces: measured(quality), update: true })
    expect(await update('masked.jpg', 0.5)).toEqual(clear)
    expect(await update('b.jpg', 0.85)).toMatchObject({ id: clear.id, photo: 'b.jpg' })
  })

  it('does not give back a person that was taken away from the face', async () => {
    const { world, camera } = await openedPersonal({ person_identify_threshold: 0.9 })
    const { person_id } = await enrolFace(world, BLUE)
    const { id } = await post(world, faceOf(10, 60, 200), 'a.jpg', { camera })
    await updateFace(world, id, { personId: Number(person_id) })
    await updateFace(world, id, { notPerson: Number(person_id) })
    const better = await post(world, BETTER, 'b.jpg', { camera, update: true })
    expect(better.person_id).not.toBe(person_id)
  })

  it('asks again about the person of the better picture, and keeps the question while persons are off', async () => {
    const { plain, world, camera } = await openedPersonal()
    await enrolFace(world, BETTER, { personName: 'Ann' })
    const first = await post(unsure(world), POOR, 'a.jpg', { camera })
    expect(first.candidate?.person.meta).toBe('Ann')
    const kept = await post(plain, POOR, 'b.jpg', { camera, update: true })
    expect(kept).toMatchObject({ id: first.id, candidate: first.candidate })
    const better = await post(world, BETTER, 'c.jpg', { camera, update: true })
    expect(better).toMatchObject({ id: first.id, meta: 'Ann' })
    expect(better.candidate).toBeUndefined()
  })

  it('keeps the confirmation of the person of the face', async () => {
    const { world, camera } = await openedPersonal()
    const { id } = await post(world, POOR, 'a.jpg', { camera })
    await updateFace(world, id, { personName: 'Ann' })
    await post(world, BETTER, 'b.jpg', { camera, update: true })
    const [row] = await world.database.select().from(faces)
    expect(row).toMatchObject({ id, photo: 'b.jpg', confirmed: true })
  })

  it('alerts again only when an unknown person has got a name', async () => {
    const { world, camera } = await openedPersonal()
    const ann = await enrolFace(world, BETTER, { personName: 'Ann' })
    const rules = [await createRule(world), await createRule(world, { person_ids: [Number(ann.person_id)] })]
    const poor = enrolment(1).faces.map(face => ({ ...face, measuredQuality: 0.4 }))
    const first = await post(world, faceOf(250, 1, 1), 'a.jpg', { camera, faces: poor })
    expect(first.person_id).toBeUndefined()
    await evaluate(world)
    expect(await Promise.all(rules.map(({ id }) => alertsOf(world, id)))).toEqual([1, 0])
    for (const photo of ['b.jpg', 'c.jpg']) {
      const named = await post(world, BETTER, photo, { camera, update: true })
      expect(named).toMatchObject({ id: first.id, person_id: ann.person_id, meta: 'Ann' })
      await evaluate(world)
    }
    expect(await Promise.all(rules.map(({ id }) => alertsOf(world, id)))).toEqual([2, 1])
    expect(await followed(world, 6)).toEqual([
      'face',
      'alert',
      'face updated',
      'alert updated',
      'alert updated',
      'face updated',
    ])
  })

  it('is one alert when the rules come later than the better picture', async () => {
    const { world, camera } = await openedLive()
    const { id } = await createRule(world)
    await post(world, POOR, 'a.jpg', { camera })
    await post(world, BETTER, 'b.jpg', { camera, update: true })
    await evaluate(world)
    await post(world, POOR, 'c.jpg', { camera, update: true })
    await evaluate(world)
    expect(await alertsOf(world, id)).toBe(1)
  })
})
