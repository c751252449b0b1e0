/** Bounds of false alarms: measured in the gallery itself, or from the calibration while it is too small. */
import { describe, expect, it } from 'vitest'
import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { THRESHOLDS } from '#contract/model/face.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import { measuredGalleries } from '#core/metadata/queries/false-alarms.ts'
import { faces } from '#core/metadata/schema.ts'
import { closestFaces } from '#core/operations/search/closest-faces.ts'
import { closestPersons } from '#core/operations/search/closest-persons.ts'
import { falseAlarmBounds } from '#core/operations/search/false-alarms.ts'
import { measureFalseAlarms } from '#core/operations/search/measure-false-alarms.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { addPerson, faceRow } from '../persons/crowd.ts'
import { away, openWorld, storeWith, type World } from '../world.ts'

const DIMENSION = 16
const random = seededRandom(7)
/** A vector in a random direction. */
const stranger = () => Float32Array.from({ length: DIMENSION }, () => random() + random() + random() - 1.5)
/** Another picture of a person. */
const again = (vector: Float32Array) => vector.map(value => value + (random() - 0.5) / 20)

const gallery = { owner: OWNER, gallery: 'default' }
/** A gallery of the store that is listed before that of OWNER. */
const STRAY = '000000000000000000000001_default'
const scale = cosineScale(score => Math.max(0, score) * 0.7)

/** Adds people with two faces each. */
async function addPeople(world: World, count: number): Promise<void> {
  for (let person = 1; person <= count; person++) {
    const ids = await addPerson(world, person, [{}, {}])
    const vector = stranger()
    await world.vectors.add(ids.map(id => ({ gallery: `${OWNER}_default`, id, vector: again(vector) })))
  }
}

/** Share of strangers whose best confidence reaches the threshold. */
async function shareOfStrangers(
  world: World,
  target: 'faces' | 'persons',
  threshold: number,
): Promise<number> {
  const count = 1_000
  let alarms = 0
  for (let i = 0; i < count; i++) {
    const search = { ...gallery, threshold, limit: 1 }
    const found =
      target === 'faces'
        ? (await closestFaces(world, search, stranger())).found
        : (await closestPersons(world, search, stranger())).persons
    alarms += Number(found.length > 0)
  }
  return alarms / count
}

describe('falseAlarmBounds', () => {
  it('takes the false match rates of the calibration for a small gallery', async () => {
    const world = { ...(await openWorld()), scale }
    await addPeople(world, 40)
    await measureFalseAlarms(world)
    const bounds = await falseAlarmBounds(world, gallery, 'faces')
    // One stranger in 1,250, compared with 80 faces: a false match rate of 1e-5.
    expect(bounds(8e-4)).toEqual({ fpir: 8e-4, threshold: THRESHOLDS.strict, faces: 80, people: 40 })
    expect(bounds(0.08).threshold).toBeCloseTo(THRESHOLDS.medium, 4)
    expect(bounds(8e-6).threshold).toBe(1)
  })

  it('counts the people of a gallery that has too few for a measurement', async () => {
    const world = { ...(await openWorld()), scale }
    const bound = async (target: 'faces' | 'persons') =>
      (await falseAlarmBounds(world, gallery, target))(0.01)
    await addPeople(world, 15)
    for (const target of ['faces', 'persons'] as const)
      expect(await bound(target)).toMatchObject({ faces: 30, people: 15 })
    await addPeople(world, 30)
    await measureFalseAlarms(world)
    for (const target of ['faces', 'persons'] as const)
      expect(await bound(target)).toMatchObject({ faces: 90, people: 30 })
  })

  it('counts the faces in the metadata while a shard is unavailable', async () => {
    const world = { ...(await openWorld()), scale }
    await addPeople(world, 40)
    const partial = { ...world, vectors: storeWith(world, { gallery: away }) }
    expect((await falseAlarmBounds(partial, gallery, 'faces'))(8e-4)).toMatchObject({ faces: 80, people: 0 })
  })

  it('measures also beside vectors of an owner who does not exist', async () => {
    const world = { ...(await openWorld()), scale }
    await addPeople(world, FACE_LIMITS.measuredPeople)
    const strays = Array.from({ length: 60 }, (_, id) => ({ gallery: STRAY, id, vector: stranger() }))
    await world.vectors.add(strays)
    expect(await measureFalseAlarms(world)).toBe(1)
    expect((await falseAlarmBounds(world, gallery, 'faces'))(0.01).people).toBe(FACE_LIMITS.measuredPeople)
  })

  it('takes those of the calibration again in a gallery that has become small', async () => {
    const world = { ...(await openWorld()), scale }
    await addPeople(world, FACE_LIMITS.measuredPeople)
    await measureFalseAlarms(world)
    const ids = (await world.database.select().from(faces)).map(({ id }) => id)
    const removed = ids.slice(FACE_LIMITS.measuredPeople - 1)
    await world.vectors.remove(removed.map(id => ({ gallery: `${OWNER}_default`, id })))
    expect((await falseAlarmBounds(world, gallery, 'faces'))(0.01)).toMatchObject({ faces: 49, people: 25 })
    await measureFalseAlarms(world)
    expect(await measuredGalleries(world.database)).toEqual([])
  })

  it('comes closer to the measurement the more people there are', { tags: 'long' }, async () => {
    const world = { ...(await openWorld()), scale }
    await addPeople(world, 60)
    const promised = (await falseAlarmBounds(world, gallery, 'faces'))(0.01).threshold
    await measureFalseAlarms(world)
    const mixed = (await falseAlarmBounds(world, gallery, 'faces'))(0.01)
    expect(mixed.people).toBe(60)
    expect(mixed.threshold).toBeLessThan(promised)
    expect(promised - mixed.threshold, 'a fifth of the way').toBeLessThan(0.1)
  })

  it('keeps the requested share of strangers in a gallery that was measured, also after growth', {
    tags: 'long',
  }, async () => {
    const world = { ...(await openWorld()), scale }
    await addPeople(world, 400)
    expect(await measureFalseAlarms(world)).toBe(1)
    expect(await measureFalseAlarms(world), 'nothing has changed').toBe(0)
    for (const target of ['faces', 'persons'] as const) {
      const bound = (await falseAlarmBounds(world, gallery, target))(0.05)
      expect(bound).toMatchObject({ faces: 800, people: 400 })
      const measured = await shareOfStrangers(world, target, bound.threshold)
      expect(measured / 0.05).toBeGreaterThan(0.4)
      expect(measured / 0.05).toBeLessThan(1.7)
    }
    const before = (await falseAlarmBounds(world, gallery, 'faces'))(0.05).threshold
    const more = Array.from({ length: 70 }, () => faceRow(OWNER, null, {}))
    await world.database.insert(faces).values(more)
    await world.vectors.add(more.map(({ id }) => ({ gallery: `${OWNER}_default`, id, vector: stranger() })))
    expect((await falseAlarmBounds(world, gallery, 'faces'))(0.05).threshold, 'scaled').toBeGreaterThan(
      before,
    )
    expect(await measureFalseAlarms(world), 'less than a tenth').toBe(0)
    const others = { ...world, scale: cosineScale(score => Math.max(0, score), 'another') }
    expect((await falseAlarmBounds(others, gallery, 'faces'))(0.05).people, 'another calibration').toBe(0)
    expect(await measureFalseAlarms(others)).toBe(1)
  })

  it('ignores a person with two names, whose faces are alike', { tags: 'long' }, async () => {
    const world = { ...(await openWorld()), scale: cosineScale(score => Math.max(0, score) * 0.9) }
    await addPeople(world, FACE_LIMITS.trustedPeople)
    await measureFalseAlarms(world)
    const clean = (await falseAlarmBounds(world, gallery, 'faces'))(0.01).threshold
    for (let i = 0; i < 10; i++) {
      const vector = stranger()
      for (const person of [1_000 + 2 * i, 1_001 + 2 * i]) {
        const [id] = await addPerson(world, person, [{}])
        await world.vectors.add([{ gallery: `${OWNER}_default`, id: id!, vector: again(vector) }])
      }
    }
    const again2 = { ...world, scale: { ...world.scale, label: 'measured anew' } }
    await measureFalseAlarms(again2)
    expect((await falseAlarmBounds(again2, gallery, 'faces'))(0.01).threshold).toBeLessThan(clean + 0.03)
  })
})
