/** The mean of a person's faces and its confirmed faces recognise the person. */
import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { faces } from '#core/metadata/schema.ts'
import type { FacePixels } from '#core/operations/faces/enrol.ts'
import { updateFace } from '#core/operations/faces/faces.ts'
import { suggestPersons } from '#core/operations/persons/suggestions.ts'
import { compareWithPerson, identify } from '#core/operations/recognition.ts'
import { closestPersons } from '#core/operations/search/closest/closest-persons.ts'
import { BLUE, faceOf, OWNER, RED } from '#test/support/sample-faces.ts'
import {
  deleteFace,
  emptyWorld,
  enrolAlone,
  getFace,
  mergePersons,
  splitPerson,
  type World,
  withPersons,
} from '../../world.ts'

/** Two frames of one visit: their cosine is .99, that with RED .34. */
const [GREEN, GREENISH] = [faceOf(60, 200, 10), faceOf(90, 200, 10)]

const ANN = 7
const ann = { owner: OWNER, personId: ANN }

/** Ann with these faces of good quality. */
async function annWith(...pixels: FacePixels[]) {
  const world = await emptyWorld()
  for (const face of pixels) await enrolAlone(world, face, { personId: ANN })
  return world
}

/** Enrols a poor face without a person, and gives it to Ann by hand. */
async function taught(world: World, pixels: FacePixels) {
  const { id } = await enrolAlone(world, pixels, { quality: 0.3 })
  await updateFace(world, { ...ann, id })
  return id
}

/** The person that the next frame gets. */
const nextFrame = async (world: World, pixels: FacePixels) => {
  const { id, person_id } = await enrolAlone(withPersons(world), pixels)
  await deleteFace(world, id)
  return person_id
}

/** Ids of the confirmed faces. */
const confirmed = async ({ database }: World) =>
  (await database.select().from(faces)).filter(row => row.confirmed).map(({ id }) => id)

describe('a face that a user gave to a person', () => {
  it('makes the next similar face match, and one that was enrolled with the person does not', async () => {
    const world = await annWith(RED, RED, RED)
    const { id } = await enrolAlone(world, GREEN, { personId: ANN, quality: 0.3 })
    expect(await nextFrame(world, GREENISH)).not.toBe(ANN)
    await updateFace(world, { ...ann, id })
    expect(await nextFrame(world, GREENISH)).toBe(ANN)
    expect(await nextFrame(world, RED), 'the mean stays').toBe(ANN)
  })

  it('counts in every comparison with the person', async () => {
    const world = await annWith(RED, RED, RED)
    const id = await taught(world, GREEN)
    const probe = GREENISH.chip.data
    const request = { owner: OWNER, gallery: 'default', threshold: 0, limit: 1, target: 'persons' as const }
    const { confidence } = (await identify(world, request, [probe])).matches[0]![0]!
    expect(confidence).toBeGreaterThan(0.98)
    const { confidences } = await compareWithPerson(world, { owner: OWNER, id: ANN }, [probe])
    expect(confidences).toEqual([[confidence]])
    const other = await enrolAlone(world, GREENISH, { personId: 8 })
    const { suggestions } = await suggestPersons(world, { owner: OWNER, limit: 10, threshold: 0.9 })
    expect(suggestions).toMatchObject([{ confidence, persons: [{ id: 8 }, { id: ANN }] }])
    await updateFace(world, { ...ann, id: other.id })
    const who = async (face: number) => (await getFace(world, face, { who: true })).face.who
    expect(await who(other.id)).toMatchObject({ confidence })
    await deleteFace(world, id)
    expect((await who(other.id))!.confidence, 'without the face itself').toBeLessThan(0.6)
  })

  it('does not count when the mean matches it', async () => {
    const world = await annWith(RED, RED, RED)
    await taught(world, faceOf(200, 100, 10))
    const search = { owner: OWNER, gallery: 'default', threshold: 0, limit: 1 }
    const [found] = (await closestPersons(world, search, Float32Array.of(201, 151, 11))).persons
    expect(found!.score, 'not the score of the confirmed face, .98').toBeLessThan(0.85)
  })

  it.each([
    { how: 'taken away', change: { notPerson: ANN } },
    { how: 'given to another person', change: { personId: 8 } },
    { how: 'given a text', change: { personId: 'row 5' } },
  ])('no longer counts when it is $how', async ({ change }) => {
    const world = await annWith(RED, RED, RED)
    const id = await taught(world, GREEN)
    expect(await confirmed(world)).toEqual([id])
    await updateFace(world, { owner: OWNER, id, ...change })
    expect(await confirmed(world)).toEqual(change.personId === 8 ? [id] : [])
    expect(await nextFrame(world, GREENISH)).not.toBe(ANN)
  })

  it('no longer counts when it is split off, set aside or deleted, and counts again when it is in use', async () => {
    const world = await annWith(RED, RED, RED)
    const id = await taught(world, GREEN)
    const review = (review: 'set_aside' | 'none') => updateFace(world, { owner: OWNER, id, review })
    await review('set_aside')
    expect(await nextFrame(world, GREENISH)).not.toBe(ANN)
    await review('none')
    expect(await nextFrame(world, GREENISH)).toBe(ANN)
    await splitPerson(world, ANN, [id])
    expect(await confirmed(world)).toEqual([])
    expect(await nextFrame(world, GREENISH)).not.toBe(ANN)
    await deleteFace(world, await taught(world, BLUE))
    expect(await nextFrame(world, BLUE)).not.toBe(ANN)
  })

  it('leaves the person at once with the next frames when a user takes one of them away', async () => {
    const world = await annWith(RED, RED, RED)
    await taught(world, GREEN)
    const personal = withPersons(world)
    const stranger = await enrolAlone(personal, faceOf(160, 200, 60))
    const next = await enrolAlone(personal, faceOf(165, 200, 65))
    expect([stranger.person_id, next.person_id]).toEqual([ANN, ANN])
    await updateFace(world, { owner: OWNER, id: stranger.id, notPerson: ANN })
    // Closer to the second frame, which is not confirmed, than to the first.
    expect(await nextFrame(world, faceOf(166, 200, 66))).not.toBe(ANN)
    expect(await nextFrame(world, GREENISH), 'closer to the confirmed frame').toBe(ANN)
  })

  it('counts for the person that a merge moves it to', async () => {
    const world = await annWith(RED, RED, RED)
    const { id } = await enrolAlone(world, GREEN, { personId: 8, quality: 0.3 })
    await mergePersons(world, ANN, 8)
    expect(await confirmed(world)).toEqual([id])
    expect(await nextFrame(world, GREENISH)).toBe(ANN)
  })

  it('counts until eight newer ones do', async () => {
    const world = await annWith(RED, RED, RED)
    await taught(world, GREEN)
    for (let i = 1; i < FACE_LIMITS.outlyingFaces; i++) await taught(world, BLUE)
    // The mean matches them.
    for (const face of [RED, RED]) await taught(world, face)
    expect(await nextFrame(world, GREENISH)).toBe(ANN)
    await taught(world, BLUE)
    expect(await nextFrame(world, GREENISH)).not.toBe(ANN)
    expect(await nextFrame(world, BLUE)).toBe(ANN)
  })
})
