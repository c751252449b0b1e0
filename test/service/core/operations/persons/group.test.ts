/** The grouping of stored faces to persons: as in an enrolment, with a preview, in steps that a stop does not harm, and undone. */
import { eq } from 'drizzle-orm'
import type { GROUPING_ACTIONS } from '#contract/model/person.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import { DEFAULT_OPTIONS } from '#core/configuration/options.ts'
import { alertsOf } from '#core/metadata/alerts/rules.ts'
import { faces } from '#core/metadata/schema.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import { changeGrouping, continueGroupings, getGrouping } from '#core/operations/persons/group.ts'
import type { Metadata, Services } from '#core/operations/services.ts'
import { BLUE, enrolment, faceOf, OTHER_OWNER, OWNER, RED, REDDISH } from '#test/support/sample-faces.ts'
import { createRule } from '../alerts/shared.ts'
import {
  cameraOf,
  deleteFace,
  emptyWorld,
  enrolPhoto,
  getFace,
  it,
  mergePersons,
  splitPerson,
  unsure,
  updateFace,
  updatePerson,
  withPersons,
} from '../world.ts'
import { census } from './crowd.ts'

const GREEN = faceOf(10, 200, 10)

/** Enrols the faces of a new photo. Returns their ids. */
const photo = async (...asked: Parameters<typeof enrolPhoto>) =>
  (await enrolPhoto(...asked)).map(({ id }) => id)

/** The same services, in which no face resembles another one. */
const apart = (services: Services): Services => ({
  ...withPersons(services, { person_identify_threshold: 1 }),
  scale: cosineScale(score => score * 0.9),
})

const act = (services: Services, action: (typeof GROUPING_ACTIONS)[number]) =>
  changeGrouping(services, { owner: OWNER, action })

/** Starts a grouping and does at most this number of steps. */
async function group(services: Services, steps = Number.POSITIVE_INFINITY) {
  await act(services, 'start')
  return resume(services, steps)
}

async function resume(services: Services, steps = Number.POSITIVE_INFINITY) {
  let done = 0
  await continueGroupings(services, () => done++ >= steps)
  return (await getGrouping(services, { owner: OWNER })).grouping
}

/** The persons of all faces of an owner, in the order of their ids. */
async function assigned({ database }: Metadata, owner = OWNER) {
  const rows = await database.select().from(faces).orderBy(faces.id)
  return rows.filter(row => row.owner === owner).map(({ personId }) => personId)
}

/** Enrols the same photos of three people as two owners: the second one with the identification of persons. */
async function twice(world: Services) {
  for (const [services, owner] of [
    [world, OWNER],
    [withPersons(world), OTHER_OWNER],
  ] as const) {
    const camera = await cameraOf(world, owner)
    await photo(services, [RED, BLUE, RED], { owner })
    await photo(services, [GREEN], { owner, quality: 0.1 })
    await photo(services, [BLUE], { owner, camera })
    for (const face of [RED, GREEN, BLUE]) await photo(services, [face], { owner })
    await photo(services, [GREEN], { owner, quality: 0.1 })
  }
}

describe('a grouping of stored faces', () => {
  it('gives them the persons that an enrolment gives them', async ({ world }) => {
    await twice(world)
    const grouping = await group(world)
    expect(await assigned(world)).toEqual(await assigned(world, OTHER_OWNER))
    expect(await assigned(world)).toEqual([1, 2, 3, null, 4, 1, 5, 2, 5])
    expect(grouping).toEqual({ state: 'complete', faces: 9, examined: 9, assigned: 8, persons: 5 })
  })

  it('of one owner, and its undo, change nothing of another owner with equal faces', async ({ world }) => {
    const theirs = { owner: OTHER_OWNER }
    for (const face of [RED, GREEN, RED])
      for (const owner of [OWNER, OTHER_OWNER]) await photo(world, [face], { owner })
    const alone = { state: 'complete', faces: 3, examined: 3, assigned: 3, persons: 2 }
    expect(await group(world)).toEqual(alone)
    expect(await assigned(world, OTHER_OWNER)).toEqual([null, null, null])
    expect((await getGrouping(world, theirs)).grouping.state).toBe('none')
    await changeGrouping(world, { ...theirs, action: 'start' })
    await resume(world)
    expect((await getGrouping(world, theirs)).grouping).toEqual(alone)
    await act(world, 'undo')
    await resume(world)
    expect(await assigned(world)).toEqual([null, null, null])
    expect(await assigned(world, OTHER_OWNER)).toEqual([1, 2, 1])
    expect(await census(world, OTHER_OWNER)).toEqual({ 1: 2, 2: 1 })
  })

  it('joins persons that exist with their names, and leaves out faces that are not of them or set aside', async ({
    world,
  }) => {
    const [ann] = await photo(world, [RED])
    await updateFace(world, ann!, { personId: 70, meta: 'Ann' })
    const [other] = await photo(world, [faceOf(200, 12, 10)])
    await updateFace(world, other!, { notPerson: 70 })
    await photo(world, [RED])
    const [aside] = await photo(world, [BLUE])
    await updateFace(world, aside!, { review: 'set_aside' })
    await group(world)
    expect(await assigned(world)).toEqual([70, 71, 70, null])
    const metas = async () => (await world.database.select().from(faces)).map(({ meta }) => meta)
    expect(await metas()).toEqual(['Ann', '', 'Ann', ''])
    await act(world, 'undo')
    await resume(world)
    expect(await metas()).toEqual(['Ann', '', '', ''])
    expect(await census(world)).toEqual({ 70: 1 })
  })

  it('confirms no face, and its undo leaves none confirmed', async ({ world }) => {
    for (const face of [RED, RED]) await photo(world, [face])
    await group(world)
    const confirmed = async () => (await world.database.select().from(faces)).map(row => row.confirmed)
    expect(await confirmed()).toEqual([false, false])
    await world.database.update(faces).set({ confirmed: true })
    await act(world, 'undo')
    await resume(world)
    expect(await confirmed()).toEqual([false, false])
  })

  it('continues after a stop, and with the faces that came since', async ({ world }) => {
    for (const face of [RED, BLUE, RED]) await photo(world, [face])
    expect(await group(world, 2)).toMatchObject({ state: 'running', faces: 3, examined: 2, persons: 2 })
    await act(world, 'stop')
    await photo(world, [GREEN])
    expect(await resume(world)).toMatchObject({ state: 'stopped', examined: 2 })
    const whole = { state: 'complete', faces: 4, examined: 4, assigned: 4, persons: 3 }
    expect(await group(world)).toEqual(whole)
    expect(await assigned(world)).toEqual([1, 2, 1, 3])
  })

  it('asks about faces that probably show a known person, and waits for the answer', async ({ world }) => {
    const [ann] = await photo(world, [RED])
    await updateFace(world, ann!, { personName: 'Ann' })
    const [asked] = await photo(world, [BLUE])
    const unsureWorld = unsure(world)
    expect(await group(unsureWorld)).toMatchObject({ state: 'complete', examined: 1, assigned: 0 })
    const { face } = await getFace(world, asked!)
    expect([face.person_id, face.candidate?.person.meta]).toEqual([undefined, 'Ann'])
    await group(apart(world))
    expect(await assigned(world)).toEqual([1, null])
    await updateFace(world, asked!, { notPerson: 1 })
    await group(unsureWorld)
    expect(await assigned(world)).toEqual([1, 2])
  })

  it('is undone, except for persons that a user changed since', async ({ world: plain }) => {
    const world = { ...plain, options: { ...plain.options, person_identify_threshold: 0.9 } }
    const people = [RED, GREEN, BLUE, faceOf(200, 200, 10), faceOf(10, 200, 200), faceOf(200, 10, 200)]
    const ids: number[] = []
    for (const face of [...people, ...people]) ids.push(...(await photo(world, [face])))
    await act(world, 'undo')
    expect((await getGrouping(world, { owner: OWNER })).grouping.state).toBe('none')
    await group(world)
    expect(await census(world)).toEqual({ 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2 })
    await updatePerson(world, 1, { meta: 'Ann', faces: false })
    await mergePersons(world, 2, 3)
    await splitPerson(world, 4, [ids[3]!])
    await photo(withPersons(world), [people[5]!])
    await enrol(world, enrolment(1, { photoHash: 'given', personId: 5 }), [people[4]!])
    await deleteFace(world, ids[4]!)
    await act(world, 'undo')
    await expect(act(world, 'start')).toBeRefused('BAD_PARAM')
    expect((await resume(world)).state).toBe('none')
    expect(await census(world)).toEqual({ 1: 2, 2: 4, 4: 1, 5: 2, 6: 1, 7: 1 })
    expect(await assigned(world)).toEqual([1, 2, 2, 7, null, 1, 2, 2, 4, 5, null, 6, 5])
  })
})

it('an undone grouping leaves a person of a rule, with the rule', async ({ world }) => {
  for (const face of [RED, RED, BLUE]) await photo(world, [face])
  await group(world)
  await act(world, 'undo')
  // The undo has begun.
  await createRule(world, { person_ids: [1] })
  await resume(world)
  expect(await assigned(world)).toEqual([1, 1, null])
  expect(await census(world)).toEqual({ 1: 2 })
  expect(await alertsOf(world.database, OWNER)).toHaveLength(1)
})

describe('the joins of a grouping', () => {
  const PEOPLE = [RED, GREEN, BLUE]

  /** Enrols each of these people twice: all faces get automatic persons of their own. Returns the faces. */
  async function divided(world: Services, people = PEOPLE, camera?: string) {
    const strict = apart(withPersons(world))
    const ids: number[] = []
    for (const face of [...people, ...people])
      ids.push(...(await photo(strict, [face], camera === undefined ? {} : { camera })))
    return ids
  }

  it('make one person of two without a name, one in each step, and are undone', async () => {
    const world = withPersons(await emptyWorld(), { person_identify_global: true })
    const ids = await divided(world)
    expect(await group(world, 4)).toMatchObject({ state: 'running' })
    expect(await census(world)).toEqual({ 1: 2, 2: 1, 3: 1, 5: 1, 6: 1 })
    expect(await resume(world)).toEqual({ state: 'complete', faces: 0, examined: 0, assigned: 0, persons: 0 })
    expect(await assigned(world)).toEqual([1, 2, 3, 1, 2, 3])
    await updatePerson(world, 2, { meta: 'Ann', faces: false })
    await updateFace(world, ids[5]!, { personId: 70 })
    await act(world, 'undo')
    await resume(world)
    expect(await assigned(world)).toEqual([1, 2, 3, 4, 2, 70])
    expect(await census(world)).toEqual({ 1: 1, 2: 2, 3: 1, 4: 1, 70: 1 })
  })

  it('give no face back to an id that a caller took since', async () => {
    const world = withPersons(await emptyWorld(), { person_identify_global: true })
    await divided(world)
    await group(world)
    await enrol(world, enrolment(1, { photoHash: 'taken', personId: 5 }), [RED])
    for (const _ of 'ab') await act(world, 'undo')
    await resume(world)
    expect(await assigned(world)).toEqual([1, 2, 3, 4, null, 6, 5])
  })

  it('count and take back the persons that the grouping itself had made', async () => {
    const world = withPersons(await emptyWorld(), {
      person_identify_global: true,
      person_identify_threshold: 1,
    })
    const people = [RED, faceOf(200, 20, 10), faceOf(200, 30, 10)]
    for (const face of people) await photo({ ...world, options: DEFAULT_OPTIONS }, [face])
    expect(await group(world)).toMatchObject({ assigned: 3, persons: 3 })
    await act(world, 'undo')
    await resume(world)
    await act(world, 'start')
    let steps = 0
    await continueGroupings(world, () => steps++ >= 3)
    expect(await assigned(world)).toEqual([1, 2, 3].map(id => id + 3))
    const lax = withPersons(world, { person_identify_threshold: null })
    await photo(world, [faceOf(200, 20, 10)])
    expect(await resume(lax)).toMatchObject({ state: 'complete', assigned: 3, persons: 1 })
    expect(await assigned(world)).toEqual([4, 4, 4, 4])
    await act(world, 'undo')
    await resume(world)
    expect(await assigned(world)).toEqual([null, null, null, 5])
    expect(await census(world)).toEqual({ 5: 1 })
  })

  it('leave persons alone that a user named, separated or chose a portrait for, of one photo or of a rule', async () => {
    const world = withPersons(await emptyWorld(), { person_identify_global: true })
    const ids = await divided(world, [...PEOPLE, faceOf(90, 90, 90), faceOf(90, 200, 200)])
    await updatePerson(world, 1, { meta: 'Ann', faces: false })
    await updatePerson(world, 10, { meta: 'autogenerated', faces: false, portrait: ids[9]! })
    await updateFace(world, ids[1]!, { notPerson: 7 })
    await world.database
      .update(faces)
      .set({ photoHash: 'both', x1: 500, x2: 560 })
      .where(eq(faces.id, ids[2]!))
    await world.database.update(faces).set({ photoHash: 'both' }).where(eq(faces.id, ids[7]!))
    await createRule(world, { person_ids: [9] })
    await group(world)
    expect(await assigned(world)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('stay within a camera unless persons are of all cameras, and above a given threshold', async () => {
    const world = withPersons(await emptyWorld())
    const [door, gate] = [await cameraOf(world), await cameraOf(world)]
    const ids = await divided(world, [RED], door)
    const moved = (camera: string) =>
      world.database.update(faces).set({ camera }).where(eq(faces.id, ids[1]!))
    await moved(gate)
    await group(world)
    expect(await assigned(world)).toEqual([1, 2])
    await moved(door)
    await photo(apart(world), [REDDISH], { camera: door })
    await group(withPersons(world, { person_identify_threshold: 0.99 }))
    expect(await assigned(world)).toEqual([1, 1, 3])
    await group(world)
    expect(await assigned(world)).toEqual([1, 1, 1])
  })
})

it('a grouping does not join a person that a caller made or confirmed to another, but joins automatic ones to it', async () => {
  const world = withPersons(await emptyWorld(), { person_identify_global: true })
  const strict = apart(world)
  const plain = { ...world, options: DEFAULT_OPTIONS }
  await photo(strict, [RED])
  const [given] = await photo(plain, [RED])
  await updateFace(world, given!, { personId: 30 })
  const [confirmed] = await photo(strict, [RED])
  await world.database.update(faces).set({ confirmed: true }).where(eq(faces.id, confirmed!))
  await photo(strict, [faceOf(200, 12, 10)])
  await group(world)
  expect((await assigned(world)).slice(0, 3)).toEqual([1, 30, 31])
  expect(await census(world)).not.toHaveProperty('32')
})

it('a grouping joins no person that resembles one with a name more', async () => {
  const world = withPersons(await emptyWorld(), { person_identify_global: true })
  for (const face of [REDDISH, RED, RED]) await photo(apart(world), [face])
  await updatePerson(world, 3, { meta: 'Ann', faces: false })
  await group(world)
  expect(await assigned(world)).toEqual([1, 2, 3])
})
