/** The judgement of identity: thresholds and verdicts from the people of a gallery. */

import { FACE_LIMITS } from '#contract/limits/faces.ts'
import type { SearchTarget } from '#contract/model/face.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import { measuredGalleries } from '#core/metadata/galleries/alikenesses.ts'
import { insertPersons } from '#core/metadata/persons/persons.ts'
import { faces } from '#core/metadata/schema.ts'
import { closestFaces } from '#core/operations/search/closest/closest-faces.ts'
import { closestPersons } from '#core/operations/search/closest/closest-persons.ts'
import { judgementOf } from '#core/operations/search/judgement/judgement.ts'
import { measureGalleries } from '#core/operations/search/judgement/measure-galleries.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { faceRow, OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { addPersonWithVectors } from '../../persons/crowd.ts'
import { emptyWorld, mergePersons, noAnswer, storeWith, type World } from '../../world.ts'

const DIMENSION = 64
const random = seededRandom(7)
const gallery = { owner: OWNER, gallery: 'default' }
const NAME = `${OWNER}_default`
/** A gallery of the store that is listed before the gallery of OWNER. */
const OTHER_GALLERY = '000000000000000000000001_default'
/** `low` at the cosine .2, `medium` at .43. */
const scale = cosineScale(score => Math.max(0, Math.min(1, 0.4885 + score * 0.4026)))

/** A vector in a random direction. People of one origin have a part of it in common. */
const stranger = (common = 0) =>
  Float32Array.from({ length: DIMENSION }, () => random() + random() + random() - 1.5 + common)
/** Another picture of a person. */
const again = (vector: Float32Array) => vector.map(value => value + (random() - 0.5) / 20)

const openScaled = async (): Promise<World> => ({ ...(await emptyWorld()), scale })

/** Adds people with two faces each. Returns their vectors. */
async function addPeople(world: World, count: number, { first = 1, common = 0 } = {}) {
  const vectors = []
  for (let person = first; person < first + count; person++) {
    const vector = stranger(common)
    await addPersonWithVectors(world, person, [again(vector), again(vector)])
    vectors.push(vector)
  }
  return vectors
}

const boundOf = async (world: World, target: SearchTarget = 'persons', fpir = 0.01) =>
  (await judgementOf(world, gallery, target)).bound(fpir)

/** Share of strangers whose best confidence reaches the threshold. */
async function shareOfStrangers(world: World, target: SearchTarget, threshold: number, common = 0) {
  const count = 500
  let alarms = 0
  for (let i = 0; i < count; i++) {
    const search = { ...gallery, threshold, limit: 1 }
    const found =
      target === 'faces'
        ? (await closestFaces(world, search, stranger(common))).found
        : (await closestPersons(world, search, stranger(common))).persons
    alarms += Number(found.length > 0)
  }
  return alarms / count
}

describe('judgementOf', () => {
  it('guesses for an empty gallery and for a few people', async () => {
    const world = await openScaled()
    expect(await boundOf(world)).toMatchObject({ fpir: 0.01, faces: 0, people: 0, guess: true })
    await addPeople(world, 3)
    expect(await boundOf(world)).toMatchObject({ faces: 6, people: 3, guess: true })
    await addPeople(world, 10, { first: 4 })
    const bound = await boundOf(world)
    expect(bound).toMatchObject({ faces: 26, people: 13 })
    expect(bound.guess).toBeUndefined()
  })

  it('counts people, not faces: by person, by meta, or by face', async () => {
    const world = await openScaled()
    await addPeople(world, 10)
    const others = [{ meta: 'Ann' }, { meta: 'Ann' }, {}, {}].map(changed => faceRow(OWNER, null, changed))
    await world.database.insert(faces).values(others)
    await world.vectors.add(others.map(({ id }) => ({ gallery: NAME, id, vector: stranger() })))
    expect(await boundOf(world, 'faces')).toMatchObject({ faces: 24, people: 13 })
    expect((await boundOf(world, 'persons')).people).toBe(10)
  })

  it.each([
    { people: 30, common: 0.25 },
    { people: 300, common: 0 },
  ])('keeps the promise with $people people and a common part of $common', { tags: 'long' }, async one => {
    const world = await openScaled()
    await addPeople(world, one.people, one)
    for (const target of ['faces', 'persons'] as const) {
      const { threshold } = await boundOf(world, target, 0.05)
      const measured = await shareOfStrangers(world, target, threshold, one.common)
      expect(measured / 0.05, target).toBeLessThan(1.7)
      if (one.common === 0) expect(measured / 0.05, target).toBeGreaterThan(0.2)
    }
  })

  it('is not changed by people with two names', async () => {
    const world = await openScaled()
    const vectors = await addPeople(world, 40)
    const { threshold } = await boundOf(world)
    for (const [i, vector] of vectors.slice(0, 5).entries())
      await addPersonWithVectors(world, 1_000 + i, [again(vector)])
    const bound = await boundOf(world)
    expect(bound.people).toBe(45)
    expect(Math.abs(bound.threshold - threshold)).toBeLessThan(0.01)
  })

  it('notices at once when a small gallery changes', async () => {
    const world = await openScaled()
    await addPeople(world, 20)
    const people = async () => [(await boundOf(world)).people, (await boundOf(world, 'faces')).people]
    expect(await people()).toEqual([20, 20])
    await mergePersons(world, 1, 2, 3)
    expect(await people()).toEqual([18, 18])
    const ids = (await world.database.select().from(faces)).map(({ id }) => id).slice(10)
    await world.vectors.remove(ids.map(id => ({ gallery: NAME, id })))
    expect((await boundOf(world)).faces).toBe(10)
  })

  it('counts many persons again after a moment', async () => {
    const world = await openScaled()
    const add = (first: number, count: number) =>
      insertPersons(
        world.database,
        times(count, i => ({ owner: OWNER, id: first + i, meta: '' })),
      )
    for (let first = 1; first <= 1_200; first += 100) await add(first, 100)
    expect((await boundOf(world)).people).toBe(1_200)
    await add(1_201, 10)
    await expect.poll(async () => (await boundOf(world)).people).toBe(1_210)
  })

  it('uses the last measurement, or a guess, while a shard is unavailable', async () => {
    const world = await openScaled()
    await addPeople(world, 20)
    const partial = { ...world, vectors: storeWith(world, { gallery: noAnswer, get: noAnswer }) }
    const searches = [boundOf(partial), boundOf(partial), boundOf(partial)]
    for (const bound of await Promise.all(searches)) expect(bound).toMatchObject({ faces: 40, guess: true })
    const bound = await boundOf(world)
    await addPeople(world, 1, { first: 21 })
    for (let i = 0; i < 3; i++) expect((await boundOf(partial)).threshold).toBeCloseTo(bound.threshold, 2)
  })

  it('says how sure a match is', async () => {
    const world = await openScaled()
    await addPeople(world, 20)
    const judgement = await judgementOf(world, gallery, 'persons')
    const [certain, probable] = [0.001, 0.01].map(fpir => judgement.bound(fpir).threshold)
    expect(judgement.verdict(certain!)).toBe('certain')
    expect(judgement.verdict(probable!)).toBe('probable')
    expect(judgement.verdict(probable! - 0.0001)).toBeUndefined()
  })
})

it('measureGalleries works in the background for large galleries, again after growth', {
  tags: 'long',
}, async () => {
  const world = await openScaled()
  await addPeople(world, 50)
  const { threshold } = await boundOf(world, 'faces')
  expect(await measureGalleries(world), 'a small gallery').toBe(0)
  const many = times(FACE_LIMITS.judgedAtOnce, () => faceRow(OWNER, null, {}))
  for (let i = 0; i < many.length; i += 500) {
    const rows = many.slice(i, i + 500)
    await world.database.insert(faces).values(rows)
    await world.vectors.add(rows.map(({ id }) => ({ gallery: NAME, id, vector: stranger() })))
  }
  const unowned = times(60, id => ({ gallery: OTHER_GALLERY, id, vector: stranger() }))
  await world.vectors.add(unowned)
  expect((await boundOf(world, 'faces')).guess, 'the last measurement serves').toBeUndefined()
  expect(await measureGalleries(world)).toBe(1)
  expect(await measureGalleries(world), 'nothing has changed').toBe(0)
  const bound = await boundOf(world, 'faces')
  expect(bound).toMatchObject({ faces: many.length + 100, people: many.length + 50 })
  expect(bound.guess).toBeUndefined()
  expect(bound.threshold).toBeGreaterThan(threshold)
  expect((await boundOf(world, 'persons')).people).toBe(50)
  const faceless = times(100, i => ({ owner: OWNER, id: 5_000 + i, meta: '' }))
  await insertPersons(world.database, faceless)
  expect(await measureGalleries(world), 'more persons').toBe(1)
  expect(await measureGalleries(world), 'persons without faces are no change').toBe(0)
  const others = { ...world, scale: cosineScale(score => Math.max(0, score), 'another') }
  expect((await boundOf(others, 'faces')).guess, 'another calibration').toBe(true)
  await world.vectors.remove(many.map(({ id }) => ({ gallery: NAME, id })))
  expect(await measureGalleries(world)).toBe(0)
  expect(await measuredGalleries(world.database)).toEqual([])
})
