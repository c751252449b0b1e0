/** Enrolment: all or nothing, with galleries, idempotency keys, and concurrent requests; and without stored pictures or photo names. */
import type { RpcRequest } from '#contract/operations/messages.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { friendRule } from '#core/metadata/faces/event-conditions.ts'
import { facePage } from '#core/metadata/faces/faces.ts'
import { enrol, prepareFaces } from '#core/operations/faces/enrol.ts'
import type { RetainedData } from '#core/operations/services.ts'
import { enrolment, faceOf, OWNER } from '#test/support/sample-faces.ts'
import {
  createGallery,
  deleteFace,
  deleteGallery,
  emptyWorld,
  enrolOne,
  expectKept,
  foundFaces,
  getFace,
  it,
  keptOf,
  keyOf,
  keysOf,
  updateFace,
  type World,
} from '../world.ts'

const NOTHING = keptOf()

const everyFace = async (world: World) =>
  (await facePage(world.database, friendRule(world), OWNER, { limit: 1_000 })).faces

describe('enrol', () => {
  it('truncates a long photo name without half a character', async ({ world }) => {
    const id = await enrolOne(world, faceOf(1, 1, 1), { photo: `${'x'.repeat(2_047)}\u{1f600}` })
    const { face } = await getFace(world, id)
    expect(face.photo).toBe(`${'x'.repeat(2_047)}\ufffd`)
  })

  it('leaves nothing when its gallery is deleted during the enrolment', async ({ world }) => {
    await createGallery(world, 'brief')
    const embed: typeof world.embed = async chips => {
      await deleteGallery(world, 'brief')
      return world.embed(chips)
    }
    const late = enrolOne({ ...world, embed }, faceOf(1, 1, 1), { galleries: ['brief'] })
    await expect(late).toBeRefused('BAD_PARAM', 'galleries')
    expect(await keysOf(world)).toEqual(NOTHING)
    expect(await everyFace(world)).toEqual([])
  })

  it.each([
    {
      step: 'one of its pictures',
      break: () => ({}),
      pixels: {
        ...faceOf(1, 1, 1),
        thumbnail: { ...faceOf(1, 1, 1).thumbnail, data: new Uint8Array(1) },
      },
    },
    {
      step: 'its embedding',
      break: () => ({ embed: async () => [Float32Array.of(1, 1, 1), Float32Array.of(0, 0, 0)] }),
      pixels: faceOf(1, 1, 1),
    },
  ])('leaves nothing when $step fails', async ({ break: breaking, pixels }) => {
    const world = await emptyWorld()
    const broken = { ...world, ...breaking() }
    await expect(enrol(broken, enrolment(2), [faceOf(2, 2, 2), pixels])).rejects.toThrow()
    expect(await keysOf(world)).toEqual(NOTHING)
    expect(await everyFace(world)).toEqual([])
  })
})

describe('enrol with prepared faces', () => {
  const preparation = '5f0c8f0e-6f0b-4f5e-9d5a-0a3f0f9b8c7d'

  /** Prepares four faces in two groups. */
  async function prepared(world: World, changed: Partial<RpcRequest<'faces.prepare'>> = {}) {
    const { faces } = enrolment(2)
    const thumbnails = faces.map(({ thumbnail }) => thumbnail)
    const request = { owner: OWNER, preparation, count: 4, galleries: [], thumbnails, ...changed }
    const first = await prepareFaces(world, { ...request, from: 0 }, [faceOf(1, 1, 1), faceOf(2, 1, 1)])
    await prepareFaces(world, { ...request, from: 2 }, [faceOf(3, 1, 1), faceOf(4, 1, 1)])
    return first
  }
  const final = (changed = {}) => enrolment(4, { preparation, count: 4, ...changed })

  it('stores all of them as one request does', async ({ world }) => {
    const pixels = [1, 2, 3, 4].map(red => faceOf(red, 1, 1))
    const { faces: atOnce } = await enrol(world, enrolment(4), pixels)
    await prepared(world)
    const { faces } = await enrol(world, final(), [])
    const ids = [...atOnce, ...faces].map(({ id }) => ({ id }))
    await expectKept(world, ...ids)
    for (const [i, { id }] of faces.entries()) {
      for (const kind of ['thumbnail', 'normalized'] as const) {
        const picture = (face: { id: number }) => world.pictures.read({ owner: OWNER, id: face.id }, kind)
        expect(await picture({ id })).toEqual(await picture(atOnce[i]!))
      }
      const vector = (face: number) => world.vectors.get({ gallery: `${OWNER}_default`, id: face })
      expect(await vector(id)).toEqual(await vector(atOnce[i]!.id))
    }
  })

  it('refuses before it embeds a face', async ({ world }) => {
    const busy = { ...world, embed: () => Promise.reject(new Error('embedded')) }
    const refusals = [
      { galleries: ['nowhere'] },
      { camera: '0'.repeat(32) },
      { personId: 1 },
      { update: true },
    ]
    for (const refused of refusals) await expect(prepared(busy, refused)).toBeRefused('BAD_PARAM')
    const key = await keyOf('k', 'request')
    const first = await enrol(
      world,
      enrolment(4, key),
      [1, 2, 3, 4].map(red => faceOf(red, 1, 1)),
    )
    expect(await prepared(busy, key)).toEqual({ isRepeated: true })
    expect(await enrol(busy, final(key), [])).toEqual(first)
  })
})

describe('enrol with a repeated Idempotency-Key', () => {
  it('answers the first faces without storing more, and no face once they are deleted', async ({ world }) => {
    const request = enrolment(1, await keyOf('k', 'request'))
    const first = await enrol(world, request, [faceOf(1, 1, 1)])
    expect(await enrol(world, request, [faceOf(1, 1, 1)])).toEqual(first)
    await expectKept(world, { id: first.faces[0]!.id })
    await deleteFace(world, first.faces[0]!.id)
    expect(await enrol(world, request, [faceOf(1, 1, 1)])).toEqual({ faces: [] })
    expect(await keysOf(world)).toEqual(NOTHING)
  })

  it('stores a new face after 24 hours', async ({ world }) => {
    const key = await keyOf('k', 'request')
    const first = await enrolOne(world, faceOf(1, 1, 1), key)
    const hours = (count: number) => ({ ...world, now: () => Date.now() + count * 3_600_000 })
    expect(await enrolOne(hours(23), faceOf(1, 1, 1), key)).toBe(first)
    expect(await enrolOne(hours(25), faceOf(1, 1, 1), key)).not.toBe(first)
  })
})

const asked = { age: true, gender: false, emotions: true }
const pixels = [faceOf(200, 40, 40), faceOf(40, 200, 40)]
/** Estimates by the first bytes of chips and thumbnails, which differ per face. */
const estimate: World['estimate'] = async faces =>
  faces.map(({ chip, thumbnail }) => ({
    age: chip[0]! / 4,
    emotions: thumbnail!.data[0]! > 100 ? ['happy', 'neutral'] : ['sad', 'neutral'],
  }))

it('enrol with attributes stores with each face the attributes of its own chip and thumbnail', async () => {
  const world = { ...(await emptyWorld()), estimate }
  const { faces } = await enrol(world, enrolment(2, { asked }), pixels)
  expect(faces).toMatchObject([
    { age: 50, emotions: ['happy', 'neutral'] },
    { age: 10, emotions: ['sad', 'neutral'] },
  ])
  for (const { id, age, emotions } of faces) {
    const { face } = await getFace(world, id)
    expect(face).toMatchObject({ age, emotions })
    expect(face).not.toHaveProperty('gender')
  }
})

const RED = faceOf(250, 10, 10)

const keeping = (world: World, keep: Partial<RetainedData>) => ({
  ...world,
  keep: { ...world.keep, ...keep },
})

it('a service without stored pictures finds, changes and deletes a face, and never has its pictures', async ({
  world,
}) => {
  const id = await enrolOne(keeping(world, { pictures: false }), RED)
  expect((await keysOf(world)).pictures).toEqual([])
  expect(await verifyAll(world.data, world)).toEqual([])
  expect(await foundFaces(world, RED)).toEqual([id])
  await updateFace(world, id, { meta: 'red' })
  expect((await keysOf(world)).pictures).toEqual([])
  await deleteFace(world, id)
  expect(await keysOf(world)).toEqual(NOTHING)
})

it('a service without stored photo names stores and answers the hash of the photo without its name', async ({
  world,
}) => {
  const { faces } = await enrol(keeping(world, { photoNames: false }), enrolment(1), [RED])
  expect(faces[0]).toMatchObject({ photo: '', photo_hash: 'abcd' })
  const { id } = faces[0]!
  expect((await getFace(world, id)).face).toMatchObject({ photo: '', photo_hash: 'abcd' })
  const stored = await world.database.run('SELECT * FROM faces')
  expect(JSON.stringify(stored.rows)).not.toContain('photo.jpg')
})
