/** The check of a gallery: its findings, and the effect of a review. */
import type { FaceRow } from '#core/metadata/faces/faces.ts'
import { checkGallery } from '#core/operations/galleries/check-gallery.ts'
import { suggestPersons } from '#core/operations/persons/suggestions.ts'
import { closestFaces } from '#core/operations/search/closest/closest-faces.ts'
import { closestPersons } from '#core/operations/search/closest/closest-persons.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { addPersonWithVectors } from '../persons/crowd.ts'
import { createGallery, it, personSummary, splitPerson, updateFace, type World } from '../world.ts'

const DIMENSION = 16

/** A picture of one of DIMENSION people. Different views of one person have a cosine of .86; 1 is the same picture. */
const picture = (subject: number, view: number) =>
  Float32Array.from({ length: DIMENSION }, (_, i) =>
    i === subject ? 1 : i === ((subject + view) % 8) + 8 ? 0.4 : 0,
  )

const gallery = { owner: OWNER, gallery: 'default' }

/** Adds a person with pictures of these people. Returns the ids of the faces. */
const add = (world: World, person: number, subjects: readonly number[], changed?: Partial<FaceRow>) =>
  addPersonWithVectors(
    world,
    person,
    subjects.map((subject, view) => picture(subject, view)),
    changed,
  )

/** Kinds of the findings with the ids of their faces and persons. */
async function check(world: World, kind?: string) {
  const { findings, next } = await checkGallery(world, { ...gallery, limit: 50 })
  const found = findings.map(({ kind, quality, faces, persons }) => ({
    kind,
    quality,
    faces: faces.map(({ id }) => id),
    persons: persons.map(one => one.person_id ?? one.meta),
  }))
  return { found: kind ? found.filter(one => one.kind === kind) : found, next }
}

describe('checkGallery', () => {
  it('names a face that is not like the others of its person, and the person that it looks like', async ({
    world,
  }) => {
    const faces = await add(world, 1, [0, 0, 0, 1])
    await add(world, 2, [1, 1, 1])
    await add(world, 3, [2, 2])
    expect(await check(world)).toEqual({
      found: [{ kind: 'disagrees', faces: [faces[3]], persons: [1, 2] }],
    })
  })

  it('takes the meta for the person of faces without one, and no person for faces without both', async ({
    world,
  }) => {
    const noPerson = { personId: null }
    const ann = await add(world, 1, [0, 0, 3], { ...noPerson, meta: 'Ann' })
    await add(world, 2, [4, 5], noPerson)
    expect((await check(world)).found).toEqual([{ kind: 'disagrees', faces: [ann[2]], persons: ['Ann'] }])
  })

  it('says that a person is divided, and leaves it open who is wrong when nothing tells', async ({
    world,
  }) => {
    const halves = await add(world, 1, [0, 0, 0, 4, 4])
    const pair = await add(world, 2, [2, 3])
    expect((await check(world)).found).toMatchObject([
      { kind: 'divided', faces: expect.toSatisfy(sameIds(halves.slice(3))), persons: [1] },
      { kind: 'divided', faces: expect.toSatisfy(sameIds(pair)), persons: [2] },
    ])
  })

  it('finds two persons that look like one, once, unless a user separated them or confirmed both', async ({
    world,
  }) => {
    await add(world, 1, [0, 0])
    await add(world, 2, [0, 0, 0])
    await add(world, 3, [1, 1, 1])
    const { found } = await check(world, 'alike')
    expect(found).toMatchObject([{ persons: [2, 1] }])
    for (const id of found[0]!.faces) await updateFace(world, id, { review: 'confirmed' })
    expect((await check(world, 'alike')).found).toEqual([])
    const [moved] = await add(world, 4, [5, 5, 5])
    await splitPerson(world, 4, [moved!])
    expect((await check(world, 'alike')).found).toEqual([])
  })

  it('names poor faces and duplicates', async ({ world }) => {
    const [poor] = await add(world, 1, [0], { measuredQuality: 0.20004 })
    const [twin] = await add(world, 2, [0], { measuredQuality: 0.9 })
    expect((await check(world)).found).toEqual(
      expect.arrayContaining([
        { kind: 'poor', quality: 0.2, faces: [poor], persons: [1] },
        { kind: 'duplicate', faces: [twin, poor], persons: [2, 1] },
      ]),
    )
  })

  it('checks the faces of a named gallery alone', async ({ world }) => {
    await createGallery(world, 'staff')
    const staff = await add(world, 1, [0, 0, 0, 1])
    await add(world, 2, [1, 1, 1, 5])
    for (const id of staff.slice(1))
      await updateFace(world, id, { galleries: { kind: 'set', names: ['staff'] } })
    const request = { owner: OWNER, gallery: 'staff' }
    const { findings } = await checkGallery(world, { ...request, limit: 50 })
    expect(findings).toMatchObject([{ kind: 'disagrees', faces: [{ id: staff[3] }] }])
  })

  it('checks each face and person on one page', async ({ world }) => {
    const faces = await add(world, 1, [0, 0, 0, 1])
    await add(world, 2, [1, 1, 1])
    let minId: number | undefined
    const named = []
    do {
      const { findings, next } = await checkGallery(world, { ...gallery, limit: 2, minId })
      named.push(...findings.map(finding => finding.faces[0]!.id))
      minId = next
    } while (minId !== undefined)
    expect(named).toEqual([faces[3]])
  })
})

it('a face that is set aside is in no search, template, suggestion and check until it is taken back; all else stays', async ({
  world,
}) => {
  const [id] = await add(world, 1, [0])
  await add(world, 2, [0, 0, 0])
  const search = { ...gallery, threshold: 0.9, limit: 5 }
  const states = async () => ({
    faces: (await closestFaces(world, search, picture(0, 0))).found.some(found => found.id === id),
    persons: (await closestPersons(world, search, picture(0, 0))).persons.some(found => found.id === 1),
    suggested: (await suggestPersons(world, { owner: OWNER, limit: 5, threshold: 0.5 })).suggestions.length,
    check: (await check(world, 'alike')).found.length,
  })
  const before = await states()
  expect(before).toEqual({ faces: true, persons: true, suggested: 1, check: 1 })
  const { face } = await updateFace(world, id!, { review: 'set_aside' })
  expect(face).toMatchObject({ review: 'set_aside', person_id: 1 })
  expect(await states()).toEqual({ faces: false, persons: false, suggested: 0, check: 0 })
  const { face: after } = await updateFace(world, id!, { review: 'none' })
  expect(after).not.toHaveProperty('review')
  expect(await states()).toEqual(before)
})

it('a face that is set aside does not represent its person beside others', async ({ world }) => {
  const [first, best] = await add(world, 1, [0, 1])
  const shown = async () => (await personSummary(world, 1)).person.face?.id
  expect(await shown()).toBe(best)
  await updateFace(world, best!, { review: 'set_aside' })
  expect(await shown()).toBe(first)
})

const sameIds = (ids: readonly number[]) => (faces: readonly number[]) =>
  faces.toSorted((a, b) => a - b).join() === ids.join()
