/** Summaries of persons: pages, the face that represents a person, and the latest one. */
import { join } from 'node:path'
import type { Quality } from '#contract/model/face-details.ts'
import { metadataFaults } from '#core/metadata/row-sums.ts'
import { mergePersons, splitPerson } from '#core/operations/persons/changes.ts'
import { listPersons, listSummaries } from '#core/operations/persons/persons.ts'
import type { Services } from '#core/operations/services.ts'
import { OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { deleteFace, it, openWorld, personSummary, updatePerson } from '../world.ts'
import { addPerson } from './crowd.ts'

const quality = (value?: number) => ({ pictured: true, quality: { quality: value, score: 0.9 } as Quality })
const CAMERA = 'a'.repeat(32)

/** The new person of a face of the person 8. */
const splitOff = async (world: Services, face: number) =>
  (await splitPerson(world, { owner: OWNER, id: 8, faces: [face] })).person

describe('personSummary', () => {
  it('counts the faces and chooses the one with the best quality', async ({ world }) => {
    const faces = [{ x2: 900 }, quality(0.4), quality(0.8), quality(), quality(0.6)]
    const [, , best] = await addPerson(world, 7, faces, { meta: 'Ann' })
    const { person } = await personSummary(world, 7)
    expect(person).toMatchObject({ id: 7, meta: 'Ann', count: 5, face: { id: best, person_id: 7 } })
    expect(person.face!.thumbnail).toContain(`/pictures/${OWNER}/${best}/thumbnail`)
  })

  it('chooses by the measured quality, not by a box that can be outside of its photo', async ({ world }) => {
    const cutOff = { x1: -400, x2: 400, measuredQuality: 0.3 }
    const [whole] = await addPerson(world, 7, [{ measuredQuality: 0.9 }, cutOff])
    expect((await personSummary(world, 7)).person.face!.id).toBe(whole)
  })

  it('chooses the largest face where no quality is stored, and the newest of equal faces', async ({
    world,
  }) => {
    const [, largest] = await addPerson(world, 7, [{}, { x2: 100 }, { x2: 90 }])
    const [, newest] = await addPerson(world, 8, 2)
    expect((await personSummary(world, 7)).person.face!.id).toBe(largest)
    expect((await personSummary(world, 8)).person.face!.id).toBe(newest)
  })

  it('has the chosen portrait while it is a face of the person, also after a merge', async ({ world }) => {
    const [chosen] = await addPerson(world, 7, 2)
    const [other, newest] = await addPerson(world, 8, 2)
    const choose = (id: number, portrait: number) =>
      updatePerson(world, id, { meta: '', faces: false, portrait })
    const shown = async (id: number, merged?: boolean) => {
      const { face, portrait, ...person } = (await personSummary(world, id, { merged })).person
      return [person.id, face!.id, portrait]
    }
    await expect(choose(8, chosen!)).toBeRefused('BAD_PARAM')
    await choose(7, chosen!)
    expect([await shown(7), await shown(8)]).toEqual([
      [7, chosen, chosen],
      [8, newest, undefined],
    ])
    await addPerson(world, 9)
    await mergePersons(world, { owner: OWNER, id: 8, persons: [7] })
    expect(await shown(8)).toEqual([8, chosen, chosen])
    await choose(8, other!)
    await mergePersons(world, { owner: OWNER, id: 8, persons: [9] })
    await mergePersons(world, { owner: OWNER, id: (await splitOff(world, newest!)).id, persons: [8] })
    expect(await shown(7, true)).toEqual([10, other, other])
    await expect(shown(7)).toBeRefused('NOT_FOUND')
    await deleteFace(world, other!)
    expect((await shown(10))[2]).toBeUndefined()
  })

  it('follows a merged person, unless its id is used again', async ({ world }) => {
    for (const id of [0, 7, 8]) await addPerson(world, id, 2)
    await mergePersons(world, { owner: OWNER, id: 0, persons: [7, 8] })
    const shown = async (id: number) => (await personSummary(world, id, { merged: true })).person.id
    expect([await shown(7), await shown(8)]).toEqual([0, 0])
    await addPerson(world, 7, 0)
    expect([await shown(7), await shown(8)]).toEqual([7, 0])
  })

  it('is followed through merges, and after an undo of the last one to the person that it was merged into', async ({
    world,
  }) => {
    const faces = new Map<number, number[]>()
    for (const id of [7, 8, 9]) faces.set(id, await addPerson(world, id, 2))
    const shown = async (id: number) => (await personSummary(world, id, { merged: true })).person.id
    const merge = (id: number, other: number) => mergePersons(world, { owner: OWNER, id, persons: [other] })
    const split = (id: number, former: number, ...parts: number[]) =>
      splitPerson(world, { owner: OWNER, id, faces: parts.flatMap(part => faces.get(part)!), former })
    await merge(8, 7)
    await merge(9, 8)
    expect([await shown(7), await shown(8)]).toEqual([9, 9])
    await split(9, 8, 7, 8)
    expect([await shown(7), await shown(8)]).toEqual([8, 8])
    expect((await split(8, 7, 7)).person.id).toBe(7)
  })

  it('has its id again after a split that names it, unless another person has it', async ({ world }) => {
    const former: number[][] = []
    for (const id of [0, 7, 8]) former.push(await addPerson(world, id, 2))
    const owned = { owner: OWNER, id: 0 }
    await mergePersons(world, { ...owned, persons: [7, 8] })
    await addPerson(world, 8, 0)
    const split = async (i: number, id: number) =>
      (await splitPerson(world, { ...owned, faces: former[i]!, former: id })).person.id
    expect([await split(1, 7), await split(2, 8)]).toEqual([7, 9])
    const { person } = await personSummary(world, 7, { merged: true })
    expect(person).toMatchObject({ id: 7, count: 2 })
  })

  it('has the time, the camera and the state friend of the latest face', { tags: 'long' }, async ({
    world,
  }) => {
    const day = 86_400e6
    const seen = [5, 4, 3, 2, 1].map(n => ({ timestamp: n * day, camera: CAMERA }))
    const [latest] = await addPerson(world, 7, seen)
    const { person } = await personSummary(world, 7)
    expect(person.latest).toEqual({
      face_id: latest,
      timestamp: '1970-01-06T00:00:00.000000',
      friend: true,
      cam_id: CAMERA,
    })
  })

  it('has no face for a person without faces', async ({ world }) => {
    await addPerson(world, 7, 0)
    expect(await personSummary(world, 7)).toEqual({
      person: { id: 7, meta: '', count: 0 },
    })
    await addPerson(world, 7, 2, { owner: OTHER_OWNER })
    expect(await personSummary(world, 7)).toMatchObject({ person: { count: 0 } })
  })
})

it('listSummaries lists the persons with exactly this meta', async ({ world }) => {
  await addPerson(world, 1, 1, { meta: 'Ann' })
  await addPerson(world, 2, 1, { meta: 'Anna' })
  const { persons, newer } = await listSummaries(world, { owner: OWNER, limit: 10, meta: 'Ann' })
  expect(persons).toMatchObject([{ id: 1 }])
  expect(newer).toBe(false)
})

it('listPersons and listSummaries find persons by a part of the name, case and accents aside', async () => {
  const world = await openWorld()
  const metas = ['Zoë Müller', 'autogenerated', '', 'ZOE Lee', 'ИВАН', 'Anna_%']
  for (const [id, meta] of metas.entries()) await addPerson(world, id, 0, { meta })
  await addPerson(world, 9, 0, { meta: 'Zoe', owner: OTHER_OWNER })
  const named = async (name: string) => {
    const ids = []
    for await (const chunk of listPersons(world, { owner: OWNER, name }))
      ids.push(...chunk.map(({ id }) => id))
    return ids
  }
  expect(await named('zoe')).toEqual([0, 3])
  expect(await named('Ë mU')).toEqual([0])
  expect(await named('lee zo')).toEqual([3])
  expect(await named('ван')).toEqual([4])
  expect(await named('_%')).toEqual([5])
  expect(await named('auto')).toEqual([])
  expect((await listSummaries(world, { owner: OWNER, limit: 1, name: 'ZOË' })).persons).toMatchObject([
    { id: 3 },
  ])
  const lacking = await listSummaries(world, { owner: OWNER, limit: 9, named: false })
  expect(lacking.persons.map(({ id }) => id)).toEqual([2, 1])
  await updatePerson(world, 3, { meta: 'Bob', faces: false })
  // As a core of an earlier version adds a person.
  await world.database.run(`INSERT INTO persons (owner, id, meta) VALUES ('${OWNER}', 10, 'Zoé')`)
  expect(await named('zoe')).toEqual([0, 10])
  expect(await named('bob')).toEqual([3])
  await world.database.run("UPDATE persons SET meta = meta || ' Lee'")
  await world.close()
  const { database, data } = await openWorld(world.data)
  expect((await database.run('SELECT id FROM persons WHERE name_folded IS NULL')).rows).toEqual([])
  expect(metadataFaults(join(data, 'metadata.db'))).toEqual([])
})
