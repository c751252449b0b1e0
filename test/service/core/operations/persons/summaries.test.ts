/** Summaries of persons: pages, the face that represents a person, and the latest one. */
import { describe, expect, it } from 'vitest'
import { OTHER_OWNER, OWNER } from '#bench/harness/sample-faces.ts'
import type { Quality } from '#contract/model/face-details.ts'
import { listSummaries, personSummary } from '#core/operations/persons/summaries.ts'
import { emptyWorld } from '../world.ts'
import { addPerson } from './crowd.ts'

const quality = (value?: number) => ({ quality: { quality: value, score: 0.9 } as Quality })
const CAMERA = 'a'.repeat(32)

describe('personSummary', () => {
  it('counts the faces and chooses the one with the best quality', async () => {
    const world = await emptyWorld()
    const faces = [{ x2: 900 }, quality(0.4), quality(0.8), quality(), quality(0.6)]
    const [, , best] = await addPerson(world, 7, faces, { meta: 'Ann' })
    const { person } = await personSummary(world, { owner: OWNER, id: 7 })
    expect(person).toMatchObject({ id: 7, meta: 'Ann', count: 5, face: { id: best, person_id: 7 } })
    expect(person.face!.thumbnail).toContain(`/pictures/${OWNER}/${best}/thumbnail`)
  })

  it('chooses the largest face where no quality is stored, and the newest of equal faces', async () => {
    const world = await emptyWorld()
    const [, largest] = await addPerson(world, 7, [{}, { x2: 100 }, { x2: 90 }])
    const [, newest] = await addPerson(world, 8, [{}, {}])
    expect((await personSummary(world, { owner: OWNER, id: 7 })).person.face!.id).toBe(largest)
    expect((await personSummary(world, { owner: OWNER, id: 8 })).person.face!.id).toBe(newest)
  })

  it('has the time, the camera and the state friend of the latest face', { tags: 'long' }, async () => {
    const world = await emptyWorld()
    const day = 86_400e6
    const seen = [5, 4, 3, 2, 1].map(n => ({ timestamp: n * day, camera: CAMERA }))
    const [latest] = await addPerson(world, 7, seen)
    const { person } = await personSummary(world, { owner: OWNER, id: 7 })
    expect(person.latest).toEqual({
      face_id: latest,
      timestamp: '1970-01-06T00:00:00.000000',
      friend: true,
      cam_id: CAMERA,
    })
  })

  it('has no face for a person without faces, and no person of another owner', async () => {
    const world = await emptyWorld()
    await addPerson(world, 7, [])
    expect(await personSummary(world, { owner: OWNER, id: 7 })).toEqual({
      person: { id: 7, meta: '', count: 0 },
    })
    await addPerson(world, 7, [{}, {}], { owner: OTHER_OWNER })
    expect(await personSummary(world, { owner: OWNER, id: 7 })).toMatchObject({ person: { count: 0 } })
    await expect(personSummary(world, { owner: OTHER_OWNER, id: 8 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('listSummaries', () => {
  it('lists the persons with exactly this meta', async () => {
    const world = await emptyWorld()
    await addPerson(world, 1, [{}], { meta: 'Ann' })
    await addPerson(world, 2, [{}], { meta: 'Anna' })
    const { persons, newer } = await listSummaries(world, { owner: OWNER, limit: 10, meta: 'Ann' })
    expect(persons).toMatchObject([{ id: 1 }])
    expect(newer).toBe(false)
  })
})
