/** The list of faces: its filters by meta, person, camera, time and friend, and its pages. */
import fc from 'fast-check'
import type { Face } from '#contract/model/face.ts'
import type { RpcRequest } from '#contract/operations/messages.ts'
import { parseTimestamp } from '#contract/timestamps.ts'
import { listFaces } from '#core/operations/faces/faces.ts'
import { FACE, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { createGallery } from '../own.ts'
import { cameraOf, enrolOne, it, type World } from '../world.ts'

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

const timeOf = ({ timestamp }: Face): number => parseTimestamp(timestamp)!

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
    meta: maybe(fc.constantFrom(...METAS, 'nobody')),
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
