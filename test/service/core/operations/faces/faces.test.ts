/** Stored faces: changes, all or nothing, with matching vectors, during concurrent changes and failures; and lists by filters, in pages. */
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Face } from '#contract/model/face.ts'
import type { RpcRequest } from '#contract/operations/messages.ts'
import { parseTimestamp } from '#contract/timestamps.ts'
import { metadataFaults } from '#core/metadata/row-sums.ts'
import { listFaces } from '#core/operations/faces/faces.ts'
import type { Services } from '#core/operations/services.ts'
import { FACE, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { createRule } from '../alerts/shared.ts'
import { addPerson } from '../persons/crowd.ts'
import {
  cameraOf,
  createGallery,
  deleteFace,
  deleteGallery,
  emptyWorld,
  enrolOne,
  expectKept,
  foundFaces,
  getFace,
  getPerson,
  it,
  noAnswer,
  openWorld,
  storeWith,
  updateFace,
  type World,
} from '../world.ts'

/** A face in `a` and `b`; `c` exists, too. */
async function faceInTwo() {
  const world = await emptyWorld()
  for (const gallery of ['a', 'b', 'c']) await createGallery(world, gallery)
  const id = await enrolOne(world, FACE, { galleries: ['a', 'b'], meta: 'before' })
  const update = (change: Partial<RpcRequest<'face.update'>>, services: Services = world) =>
    updateFace(services, id, { ...change })
  return { world, id, update }
}

/** A store that runs `afterwards` after each addition. */
const storeThat = (world: World, afterwards: () => Promise<unknown>) =>
  storeWith(world, {
    async add(entries) {
      await world.vectors.add(entries)
      await afterwards()
    },
  })

describe('updateFace', () => {
  it('stores digits of an edge of an earlier version as a number', async () => {
    const { world, update } = await faceInTwo()
    expect((await update({ personId: '7' })).face.person_id).toBe(7)
    expect(await getPerson(world, 7)).toMatchObject({ person: { id: 7 } })
  })

  it('gives the name of the new person to a face without a meta or with the previous name', async () => {
    const { world, update } = await faceInTwo()
    await addPerson(world, 7, 0, { meta: 'Ann' })
    await addPerson(world, 8, 0, { meta: 'Bob' })
    expect((await update({ personId: 7 })).face.meta).toBe('before')
    expect((await update({ personId: 7, meta: '' })).face.meta).toBe('')
    expect((await update({ personId: 7 })).face.meta).toBe('Ann')
    expect((await update({ personId: 8 })).face.meta).toBe('Bob')
    expect((await update({ personId: 7, meta: 'own' })).face.meta).toBe('own')
    expect((await update({ personId: 8 })).face.meta).toBe('own')
  })

  it('mends stored texts of digits at a start, with their persons and deliveries', async () => {
    const { world, id } = await faceInTwo()
    const stored: [string, unknown][] = [
      ['"4"', 4],
      ['"004"', 4],
      ['"8"', 8],
      ['"4 a"', '4 a'],
      ['"4\\""', '4"'],
      ['""', ''],
      ['"-4"', '-4'],
      ['"4503599627370497"', '4503599627370497'],
      ['"12345678901234567"', '12345678901234567'],
    ]
    const ids = [id]
    for (const _ of stored.slice(1)) ids.push(await enrolOne(world, FACE, { meta: `meta ${ids.length}` }))
    await updateFace(world, id, { personId: 8 })
    const foreign = await enrolOne(world, FACE, { owner: OTHER_OWNER })
    const rule = await createRule(world)
    for (const [i, [text]] of stored.entries()) {
      await world.database.run(sql`UPDATE faces SET person_id = ${text} WHERE id = ${ids[i]}`)
      await world.database.run(
        sql`INSERT INTO deliveries (owner, alert, face, person, matches, state, created, due) VALUES (${OWNER}, ${rule.id}, ${ids[i]}, ${text}, '[]', 'sent', 0, 0)`,
      )
    }
    await world.database.run(sql`UPDATE faces SET person_id = '"5"' WHERE id = ${foreign}`)
    await world.close()
    const again = await openWorld(world.data)
    for (const [i, [, person_id]] of stored.entries())
      expect((await getFace(again, ids[i]!)).face.person_id).toBe(person_id)
    const { rows } = await again.database.run(sql`SELECT DISTINCT person FROM deliveries ORDER BY id LIMIT 3`)
    expect(rows.map(({ person }) => person)).toEqual(['4', '8', '"4 a"'])
    const persons = await again.database.run(sql`SELECT owner, id, meta FROM persons ORDER BY id`)
    expect(persons.rows).toMatchObject([
      { owner: OWNER, id: 4, meta: 'before' },
      { owner: OTHER_OWNER, id: 5, meta: '' },
      { owner: OWNER, id: 8, meta: 'before' },
    ])
    expect(metadataFaults(join(again.data, 'metadata.db'))).toEqual([])
  })

  it.each([
    { kind: 'add', names: ['c', 'a'], galleries: ['a', 'b', 'c'] },
    { kind: 'add', names: ['default'], galleries: ['a', 'b'] },
    { kind: 'del', names: ['a', 'c'], galleries: ['b'] },
    { kind: 'set', names: ['c', 'b', 'default', 'c'], galleries: ['b', 'c'] },
    { kind: 'set', names: [], galleries: [] },
  ] as const)(
    '$kind $names leaves the face and its vectors in $galleries',
    async ({ kind, names, galleries }) => {
      const { world, id, update } = await faceInTwo()
      const { face } = await update({ galleries: { kind, names: [...names] } })
      expect(face.galleries).toEqual(['default', ...galleries])
      await expectKept(world, { id, galleries: [...galleries] })
      for (const gallery of ['default', 'a', 'b', 'c'])
        expect(await foundFaces(world, FACE, { gallery })).toEqual(
          face.galleries.includes(gallery) ? [id] : [],
        )
    },
  )
})

describe('updateFace during other events', () => {
  it('changes a meta while a shard is unavailable', async () => {
    const { world, update } = await faceInTwo()
    const vectors = storeWith(world, { reach: noAnswer, add: noAnswer, remove: noAnswer })
    expect((await update({ meta: 'after' }, { ...world, vectors })).face.meta).toBe('after')
  })

  it('is refused when the gallery is deleted, and changes nothing', async () => {
    const { world, id, update } = await faceInTwo()
    const vectors = storeThat(world, () => deleteGallery(world, 'c'))
    const late = update({ meta: 'after', galleries: { kind: 'add', names: ['c'] } }, { ...world, vectors })
    await expect(late).toBeRefused('BAD_PARAM', 'galleries')
    expect((await getFace(world, id)).face.meta).toBe('before')
    await expectKept(world, { id, galleries: ['a', 'b'] })
  })

  it('answers NOT_FOUND when the face is deleted, and leaves nothing', async () => {
    const { world, id, update } = await faceInTwo()
    const vectors = storeThat(world, () => deleteFace(world, id))
    const late = update({ galleries: { kind: 'add', names: ['c'] } }, { ...world, vectors })
    await expect(late).toBeRefused('NOT_FOUND')
    await expectKept(world)
  })
})

type Filter = Pick<RpcRequest<'faces.page'>, 'gallery' | 'meta' | 'filter'>

/** Microseconds between two faces: a quarter of a day. */
const STEP = 21_600_000_000
const START = parseTimestamp('2026-01-01')!
const PERSONS = [1, 2, 10, 3]
const METAS = ['Ann', 'ann', '']

/** Two owners with the same 40 faces, by different cameras: a person each day at a camera, some in a gallery. */
async function corpus(world: World, owner: string) {
  await createGallery(world, 'staff', { owner })
  const cameras = [await cameraOf(world, owner), await cameraOf(world, owner)]
  for (let i = 0; i < 40; i++) {
    const personId = i % 7 === 6 ? 'text' : PERSONS[i % 4]!
    await enrolOne(world, FACE, {
      owner,
      personId: i % 11 === 10 ? undefined : personId,
      meta: METAS[i % 3]!,
      galleries: i % 4 === 0 ? ['staff'] : [],
      // Times fall while ids rise: the order of ids must not stand in for the time.
      timestamp: START + (40 - i) * STEP,
      ...(i % 5 === 4 ? {} : { camera: cameras[i % 2]! }),
    })
  }
  return cameras
}

const timeOf = ({ timestamp }: Face) => parseTimestamp(timestamp)!

/** The filter as a condition on an answer. */
const meets =
  ({ gallery, meta, filter }: Filter) =>
  (face: Face): boolean =>
    (gallery === undefined || face.galleries.includes(gallery)) &&
    (meta === undefined || face.meta === meta) &&
    (filter?.personId === undefined || face.person_id === filter.personId) &&
    (!filter?.cameras.length || filter.cameras.includes(face.cam_id ?? '')) &&
    (filter?.start === undefined || timeOf(face) >= filter.start) &&
    (filter?.end === undefined || timeOf(face) <= filter.end) &&
    (filter?.friend === undefined || face.friend === filter.friend)

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

const filters = (cameras: readonly string[]): fc.Arbitrary<Filter> =>
  fc.record({
    gallery: maybe(fc.constantFrom('staff', 'default')),
    meta: maybe(fc.constantFrom(...METAS, 'unknown')),
    filter: maybe(
      fc.record({
        personId: maybe(fc.constantFrom(...PERSONS, 77)),
        cameras: fc.subarray([...cameras, '0'.repeat(32)]),
        start: maybe(fc.integer({ min: 0, max: 42 }).map(steps => START + steps * STEP)),
        end: maybe(fc.integer({ min: 0, max: 42 }).map(steps => START + steps * STEP)),
        friend: maybe(fc.boolean()),
      }),
    ),
  })

it('the list of faces is a slice of the whole list, for any filters and bounds', {
  tags: 'long',
}, async ({ world }) => {
  const cameras = await corpus(world, OWNER)
  await corpus(world, OTHER_OWNER)
  const { faces } = await listFaces(world, { owner: OWNER, limit: 1_000 })
  expect(faces).toHaveLength(40)
  expect(new Set(faces.map(face => face.friend)).size).toBe(2)
  const bounds = fc.constantFrom(0, ...faces.map(({ id }) => id), Number.MAX_SAFE_INTEGER)
  await fc.assert(
    fc.asyncProperty(
      filters(cameras),
      fc.integer({ min: 1, max: 20 }),
      bounds,
      async (filter, limit, bound) => {
        const page = async (ends: { maxId: number } | { minId: number }) => {
          const { faces, newer, older } = await listFaces(world, { ...filter, ...ends, owner: OWNER, limit })
          return { ids: faces.map(({ id }) => id), newer, older }
        }
        const ids = faces.filter(meets(filter)).map(({ id }) => id)
        const [below, above] = [ids.filter(id => id < bound), ids.filter(id => id > bound)]
        expect(await page({ maxId: bound })).toEqual({
          ids: below.slice(0, limit),
          newer: below.length < ids.length,
          older: below.length > limit,
        })
        expect(await page({ minId: bound })).toEqual({
          ids: above.slice(-limit),
          newer: above.length > limit,
          older: above.length < ids.length,
        })
      },
    ),
    { numRuns: 40 },
  )
})
