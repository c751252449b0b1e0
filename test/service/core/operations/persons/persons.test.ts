/** Persons: found or created for new faces, and friends of the cameras that see them often. */

import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import type { Options } from '#core/configuration/options.ts'
import { eventsAbove } from '#core/metadata/events/events.ts'
import { friendRule } from '#core/metadata/faces/event-conditions.ts'
import { FOUNDING_QUALITY } from '#core/metadata/persons/template-faces.ts'
import { faces, persons } from '#core/metadata/schema.ts'
import { searchHistory } from '#core/operations/events/history.ts'
import { faceAnswer } from '#core/operations/face-answer.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import { listPersons } from '#core/operations/persons/persons.ts'
import type { Services } from '#core/operations/services.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import { BLUE, enrolment, faceOf, OTHER_OWNER, OWNER, RED, REDDISH } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import {
  cameraOf,
  deleteFace,
  deletePerson,
  emptyWorld,
  enrolAlone,
  enrolFace,
  enrolPhoto,
  getFace,
  it,
  mergePersons,
  splitPerson,
  storeWith,
  unsure,
  updateFace,
  withPersons,
} from '../world.ts'
import { addPerson } from './crowd.ts'

const personalWorld = async (options?: Partial<Options>) => withPersons(await emptyWorld(), options)

async function personsOf(services: Services) {
  const persons = []
  for await (const chunk of listPersons(services, { owner: OWNER })) persons.push(...chunk)
  return persons
}

describe('enrol with person identification', () => {
  it('assigns the person of the most similar face, and its meta to a face without one', async () => {
    const world = await personalWorld({ person_identify_threshold: 0.999 })
    await enrolFace(world, REDDISH, { meta: 'reddish' })
    await enrolFace(world, RED, { meta: 'red' })
    const lax = { ...world, options: { ...world.options, person_identify_threshold: 0.5 } }
    expect(await enrolFace(lax, faceOf(200, 15, 10))).toMatchObject({ person_id: 2, meta: 'red' })
    expect(await enrolFace(lax, REDDISH, { meta: 'own' })).toMatchObject({ person_id: 1, meta: 'own' })
  })

  it('assigns a person at the threshold, but not 0.0001 below it', async () => {
    const world = await personalWorld({ person_identify_threshold: 1 })
    const flat = (threshold: number) => ({
      ...world,
      scale: cosineScale(() => 0.75),
      options: { ...world.options, person_identify_threshold: threshold },
    })
    const first = await enrolFace(world, RED)
    expect((await enrolFace(flat(0.75), BLUE)).person_id).toBe(first.person_id)
    expect((await enrolFace(flat(0.7501), BLUE)).person_id).not.toBe(first.person_id)
  })

  it('compares a face with faces of the same camera, and faces without a camera with each other', async () => {
    const world = await personalWorld()
    const [door, gate] = [await cameraOf(world), await cameraOf(world)]
    const persons = []
    for (const camera of [door, gate, undefined, door, gate, undefined])
      persons.push((await enrolFace(world, RED, camera ? { camera } : {})).person_id)
    expect(persons).toEqual([1, 2, 3, 1, 2, 3])
  })

  it('compares a face with all faces when persons are global, but not with faces of other owners', async () => {
    const world = await personalWorld({ person_identify_global: true })
    const camera = await cameraOf(world)
    await enrolFace(world, BLUE, { owner: OTHER_OWNER })
    expect((await enrolFace(world, RED, { owner: OTHER_OWNER })).person_id).toBe(2)
    expect((await enrolFace(world, RED)).person_id).toBe(1)
    expect((await enrolFace(world, RED, { camera })).person_id).toBe(1)
  })

  it('does not assign a text person_id', async () => {
    const world = await personalWorld()
    const { id } = await enrolFace(world, RED)
    await updateFace(world, id, { personId: 'Red' })
    expect((await enrolFace(world, RED)).person_id).toBe(2)
  })

  it('never assigns one person to two faces of one photo, but to one face that is framed differently later', async () => {
    const world = await personalWorld()
    const { faces } = await enrol(world, enrolment(3), [RED, BLUE, RED])
    expect(faces.map(face => face.person_id)).toEqual([1, 2, 3])
    const [face] = enrolment(1).faces
    const at = (x1: number) =>
      enrolment(1, { faces: [{ ...face!, box: { x1, y1: 0, x2: x1 + 60, y2: 70 } }] })
    expect((await enrol(world, at(300), [RED])).faces[0]).toMatchObject({ person_id: 4 })
    expect((await enrol(world, at(3), [RED])).faces[0]).toMatchObject({ person_id: 1 })
  })

  it('compares with the mean of the faces of a person, not with the nearest one', async () => {
    const world = await personalWorld({ person_identify_threshold: 0.99 })
    for (const face of [RED, RED, RED, faceOf(200, 80, 10)]) await enrolAlone(world, face)
    await updateFace(world, (await enrolFace(world, faceOf(200, 80, 10))).id, { personId: 1 })
    // Within .99 of the nearest face of person 1, but not of the mean of all.
    expect((await enrolFace(world, faceOf(200, 95, 10))).person_id).not.toBe(1)
    expect((await enrolFace(world, faceOf(200, 30, 10))).person_id).toBe(1)
  })

  it('founds no person with a poor face, and gives it one only when that is certain', async () => {
    const scale = cosineScale(score => score * 0.72)
    const world = { ...(await personalWorld({ person_identify_threshold: 0.6 })), scale }
    const orange = faceOf(200, 90, 10)
    expect(await enrolAlone(world, RED, { quality: 0.2 })).not.toHaveProperty('person_id')
    expect(await personsOf(world)).toEqual([])
    expect(await enrolAlone(world, RED, { quality: 0.9 })).toMatchObject({ person_id: 1 })
    // A confidence of .67 suffices for a good face. A false match rate of 1e-3 / 2 faces needs .68.
    const unsureFace = await enrolAlone(world, orange, { quality: 0.2 })
    expect([unsureFace.person_id, unsureFace.candidate]).toEqual([undefined, undefined])
    expect(await enrolAlone(world, RED, { quality: 0.2 })).toMatchObject({ person_id: 1 })
    expect(await enrolAlone(world, orange, { quality: 0.9 })).toMatchObject({ person_id: 1 })
  })

  it('founds no person with a covered face and its short embedding, however good the picture is', async () => {
    const world = await personalWorld()
    const enrolled = async (clearness: number) => {
      const embed: typeof world.embed = async chips =>
        (await world.embed(chips)).map(vector => unitVector(vector).map(value => clearness * value))
      return enrolAlone({ ...world, embed }, RED, { quality: 0.95 })
    }
    expect(await enrolled(FOUNDING_QUALITY - 0.05)).not.toHaveProperty('person_id')
    expect(await enrolled(FOUNDING_QUALITY + 0.05)).toMatchObject({ person_id: 1 })
  })

  it('never gives a person again to a face that was taken away from it, nor to similar faces', async () => {
    const world = await personalWorld()
    await enrolFace(world, REDDISH, { photoHash: 'first' })
    const { id, person_id } = await enrolFace(world, RED, { photoHash: 'second' })
    expect(person_id).toBe(1)
    const { face } = await updateFace(world, id, { notPerson: 1 })
    expect(face).not.toHaveProperty('person_id')
    for (let replay = 0; replay < 3; replay++)
      expect((await enrolFace(world, RED, { photoHash: 'second' })).person_id).not.toBe(1)
  })

  it('keeps a person split, and a face with the person that a user named', async () => {
    const world = await personalWorld()
    await enrolFace(world, RED, { photoHash: 'first' })
    const { id } = await enrolFace(world, REDDISH, { photoHash: 'second' })
    await splitPerson(world, 1, [id])
    for (let replay = 0; replay < 3; replay++)
      expect((await enrolFace(world, REDDISH, { photoHash: 'second' })).person_id).toBe(2)
    await updateFace(world, id, { personId: 1 })
    await mergePersons(world, 1, 2)
    expect((await enrolFace(world, REDDISH, { photoHash: 'second' })).person_id).toBe(1)
  })

  it('takes the name of a person for a stored face, and creates who does not exist', async () => {
    const world = await personalWorld()
    const [first, second] = [await enrolFace(world, RED), await enrolFace(world, BLUE)]
    const name = (id: number, personName: string) => updateFace(world, id, { personName })
    const { face: ann } = await name(first.id, 'Ann')
    expect([first.person_id, second.person_id]).not.toContain(ann.person_id)
    expect((await name(second.id, ' ann')).face).toMatchObject({ meta: 'Ann', person_id: ann.person_id })
    const { face } = await updateFace(world, second.id, { notPerson: Number(ann.person_id) })
    expect([face.meta, face.person_id]).toEqual(['', undefined])
  })

  it('creates no person when the enrolment fails', async () => {
    const world = await personalWorld()
    const refusing = storeWith(world, { add: () => Promise.reject(new Error('the disk is full')) })
    await expect(enrolFace({ ...world, vectors: refusing }, RED)).rejects.toThrow('the disk is full')
    expect(await personsOf(world)).toEqual([])
    expect((await enrolFace(world, RED)).person_id).toBe(1)
  })
})

describe('enrol without a threshold', () => {
  /** Person 1 is Ann, of a red face. `face`: of another colour, and probably hers. */
  async function probablyAnn() {
    const world = await personalWorld()
    await enrolAlone(world, RED, { personName: 'Ann' })
    return { world, face: await enrolAlone(unsure(world), BLUE) }
  }
  const ofFace = async (world: Services, id: number) => (await getFace(world, id)).face

  it('asks about a face that probably shows a known person, and gives a person to a certain or unknown face', async () => {
    const { world, face } = await probablyAnn()
    expect(face).toMatchObject({ meta: '', candidate: { person: { id: 1, meta: 'Ann' } } })
    expect(face).not.toHaveProperty('person_id')
    expect((await world.database.select().from(faces))[1]!.candidateConfidence).toBe(
      face.candidate!.confidence,
    )
    const certain = await enrolAlone(world, REDDISH)
    expect([certain.person_id, certain.meta, certain.candidate]).toEqual([1, 'Ann', undefined])
    const unknown = await enrolAlone(world, faceOf(10, 200, 10))
    expect([unknown.person_id, unknown.candidate]).toEqual([2, undefined])
  })

  it('asks about a poor face, too, and founds no person with a poor face of an unknown person', async () => {
    const { world } = await probablyAnn()
    const asked = await enrolAlone(unsure(world), BLUE, { quality: 0.2 })
    expect(asked.candidate?.person.id).toBe(1)
    const unknown = await enrolAlone(world, faceOf(10, 200, 10), { quality: 0.2 })
    expect([unknown.person_id, unknown.candidate]).toEqual([undefined, undefined])
    expect(await personsOf(world)).toHaveLength(1)
  })

  it('asks about no person who is certainly another face of the photo', async () => {
    const { world } = await probablyAnn()
    const both = await enrolPhoto(unsure(world), [BLUE, RED])
    expect(both.map(face => [face.person_id, face.candidate])).toEqual([
      [2, undefined],
      [1, undefined],
    ])
  })

  it('asks once whether one of two faces of a photo is a person', async () => {
    const { world } = await probablyAnn()
    const both = await enrolPhoto(unsure(world), [BLUE, faceOf(10, 200, 10)])
    expect(both.map(face => [face.person_id, face.candidate?.person.meta])).toEqual([
      [undefined, 'Ann'],
      [2, undefined],
    ])
  })

  it('asks nothing with a given threshold: below it, a face gets a new person', async () => {
    const { world } = await probablyAnn()
    const given = withPersons(unsure(world), { person_identify_threshold: 0.99 })
    const face = await enrolAlone(given, BLUE)
    expect([face.person_id, face.candidate]).toEqual([2, undefined])
  })

  it.each([
    { answer: 'yes', change: { personId: 1 }, person: 1 },
    { answer: 'the name of the person', change: { personName: 'ann' }, person: 1 },
    { answer: 'another person', change: { personId: 70 }, person: 70 },
    { answer: 'no', change: { notPerson: 1 }, person: undefined },
  ])('no longer asks after the answer: $answer', async ({ change, person }) => {
    const { world, face } = await probablyAnn()
    const { face: answered } = await updateFace(world, face.id, { ...change })
    expect([answered.person_id, answered.candidate]).toEqual([person, undefined])
    const again = await enrolAlone(unsure(world), BLUE)
    if (person === undefined) expect(again.candidate, 'a similar face').toBeUndefined()
    const [, stored] = await world.database.select().from(faces)
    expect([stored!.candidate, stored!.candidateConfidence]).toEqual([null, null])
  })

  it('asks on after the answer that it is not of a third person, and after other changes', async () => {
    const { world, face } = await probablyAnn()
    await enrolAlone(world, faceOf(10, 200, 10))
    await updateFace(world, face.id, { notPerson: 2 })
    await updateFace(world, face.id, { review: 'confirmed' })
    expect((await ofFace(world, face.id)).candidate?.person.id).toBe(1)
  })

  it('asks about the remaining person after a merge, but not about one that is excluded or deleted', async () => {
    const { world, face } = await probablyAnn()
    const other = await enrolAlone(unsure(world), BLUE)
    const bob = await enrolAlone(world, faceOf(10, 200, 10), { personName: 'Bob' })
    await updateFace(world, other.id, { notPerson: Number(bob.person_id) })
    await mergePersons(world, Number(bob.person_id), 1)
    expect((await ofFace(world, face.id)).candidate).toMatchObject({ person: { id: 2, meta: 'Bob' } })
    expect((await ofFace(world, other.id)).candidate).toBeUndefined()
    await deletePerson(world, 2)
    expect((await ofFace(world, face.id)).candidate).toBeUndefined()
  })

  it('say in events, live or not, which person they probably show', async () => {
    const { world } = await probablyAnn()
    const camera = await cameraOf(world)
    const everywhere = withPersons(unsure(world), { person_identify_global: true })
    const { candidate } = await enrolAlone(everywhere, BLUE, { camera })
    expect(candidate?.person.id).toBe(1)
    const history = searchHistory(world, { owner: OWNER, filter: { cameras: [] }, limit: 0 })
    expect((await history.next()).value).toMatchObject([{ candidate }])
    const [live] = await eventsAbove(world.database, friendRule(world), OWNER, { cameras: [] }, LIVE)
    expect(faceAnswer(world, live!.face).candidate).toEqual(candidate)
  })
})

const LIVE = { above: 0, limit: 10 }

it('listPersons returns more persons than one chunk, by rising number', async ({ world }) => {
  const numbers = times(FACE_LIMITS.streamChunk + 1, i => (i * 7) % (FACE_LIMITS.streamChunk + 1))
  await world.database.insert(persons).values(numbers.map(id => ({ owner: OWNER, id, meta: '' })))
  expect((await personsOf(world)).map(person => person.id)).toEqual(numbers.toSorted((a, b) => a - b))
})

const DAY = 86_400_000_000
const NOON = 1_700_000_000 * 1e6 - ((1_700_000_000 * 1e6) % DAY) + DAY / 2
const WEEK = 604_800 * 1e6

describe('the field friend', () => {
  /** Whether the last of these faces, from one camera at these times, is of a friend. */
  async function friendAfter(...seen: number[]): Promise<boolean> {
    const world = await emptyWorld()
    const camera = await cameraOf(world)
    const faces = await addPerson(
      world,
      7,
      seen.map(timestamp => ({ camera, timestamp })),
    )
    return (await getFace(world, faces.at(-1))).face.friend
  }
  const days = (...numbers: number[]) => numbers.map(day => NOON + day * DAY)

  it.each([
    { when: 'seen on five days', seen: days(0, 2, 4, 6, 7), friend: true },
    {
      when: 'seen on the fifth day at the very start of the interval',
      seen: [NOON - WEEK, ...days(-3, -2, -1, 0)],
      friend: true,
    },
    {
      when: 'seen on the fifth day a microsecond outside the interval',
      seen: [NOON - WEEK - 1, ...days(-3, -2, -1, 0)],
      friend: false,
    },
    {
      when: 'seen a microsecond before and after four midnights',
      seen: [NOON, ...[0.5, 1.5].flatMap(half => [NOON + half * DAY - 1, NOON + half * DAY]), NOON + 2 * DAY],
      friend: false,
    },
    {
      when: 'seen on five days before 1970',
      seen: [-5, -4, -3, -2, -1].map(i => i * DAY + 1),
      friend: true,
    },
    { when: 'seen three times on each of two days around 1970', seen: [-3, -2, -1, 0, 1, 2], friend: false },
  ])('is $friend for a person $when', async ({ seen, friend }) => {
    expect(await friendAfter(...seen)).toBe(friend)
  })

  it('is true only for the camera that saw the person, and false without a camera or a person', async () => {
    const world = await personalWorld({ person_identify_global: true })
    const [door, gate] = [await cameraOf(world), await cameraOf(world)]
    for (const timestamp of days(0, 1, 2, 3)) await enrolFace(world, RED, { camera: door, timestamp })
    const [timestamp] = days(4)
    expect((await enrolFace(world, RED, { camera: gate, timestamp })).friend).toBe(false)
    expect((await enrolFace(world, RED, { timestamp })).friend).toBe(false)
    expect((await enrolFace(world, RED, { camera: door, timestamp })).friend).toBe(true)
    const impersonal = { ...world, options: { ...world.options, person_identify: false } }
    expect((await enrolFace(impersonal, RED, { camera: door, timestamp })).friend).toBe(false)
  })

  it('follows the options, and later changes of persons and faces', async () => {
    const world = await personalWorld({ friend_count: 2, friend_interval: 86_400 })
    const camera = await cameraOf(world)
    const first = await enrolFace(world, RED, { camera, timestamp: NOON })
    const { id, friend } = await enrolFace(world, RED, { camera, timestamp: NOON + DAY })
    expect(friend).toBe(true)
    const now = async () => (await getFace(world, id)).face.friend
    await updateFace(world, id, { personId: 7 })
    expect(await now()).toBe(false)
    await updateFace(world, id, { personId: 1 })
    expect(await now()).toBe(true)
    await deleteFace(world, first.id)
    expect(await now()).toBe(false)
  })
})
