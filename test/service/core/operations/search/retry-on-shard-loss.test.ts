/** Retries after the loss of a shard: one retry, no duplicates and no remains. */
import { updateFace } from '#core/operations/faces/faces.ts'
import { identify } from '#core/operations/recognition.ts'
import type { Services } from '#core/operations/services.ts'
import { StoreUnavailable, type VectorStore } from '#core/vector-store/vector-store.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { personOf } from '../persons/crowd.ts'
import {
  createGallery,
  emptyWorld,
  enrolOne,
  expectKept,
  it,
  keyOf,
  reconcileNow,
  storeWith,
  type World,
  withPersons,
} from '../world.ts'

const FACE = faceOf(250, 0, 0)

type ShardVerb = 'add' | 'search' | 'reach' | 'get'

/** Services with persons whose store fails the first `times` calls of a kind, with `does` after executing them. */
function losing(
  world: World,
  verb: ShardVerb,
  times: number,
  { does = false, why = 'away' as 'away' | 'full' } = {},
): Services {
  let left = times
  const lost = async (...given: never[]) => {
    const ask = world.vectors[verb].bind(world.vectors) as (...given: never[]) => Promise<unknown>
    if (left <= 0) return ask(...given)
    left--
    if (does) await ask(...given)
    throw new StoreUnavailable(why)
  }
  const vectors = storeWith(world, { [verb]: lost } as Partial<VectorStore>)
  return withPersons({ ...world, vectors })
}

it.each<{ verb: ShardVerb; does: boolean }>([
  { verb: 'reach', does: false },
  { verb: 'search', does: false },
  { verb: 'add', does: false },
  { verb: 'add', does: true },
])(
  'enrol after the loss of a shard stores one face when the first "$verb" gets no answer (executed: $does)',
  async ({ verb, does }) => {
    const world = await emptyWorld()
    const known = await enrolOne(withPersons(world), FACE)
    const key = await keyOf('a key', 'a request')
    const id = await enrolOne(losing(world, verb, 1, { does }), FACE, key)
    expect(await personOf(world, id)).toBe(await personOf(world, known))
    expect(await enrolOne(world, FACE, key)).toBe(id)
    await reconcileNow(world)
    await expectKept(world, { id: known }, { id })
    expect(await reconcileNow(world)).toMatchObject({ reconciled: 0, pending: 0 })
  },
)

it('updateFace changes galleries once when the first answer of a shard is lost', async ({ world }) => {
  const id = await enrolOne(world, FACE)
  await createGallery(world, 'staff')
  const change = { owner: OWNER, id, galleries: { kind: 'add' as const, names: ['staff'] } }
  const { face } = await updateFace(losing(world, 'add', 1, { does: true }), change)
  expect(face.galleries).toContain('staff')
  await reconcileNow(world)
  await expectKept(world, { id, galleries: ['staff'] })
})

it('identify repeats a strict search that lacks a shard, and no other search', async ({ world }) => {
  const id = await enrolOne(world, FACE)
  let searches = 0
  let reached = 0
  const vectors = storeWith(world, {
    async search(...given) {
      const found = await world.vectors.search(...given)
      return searches++ === 0 ? { ...found, live: 1, total: 2 } : { ...found, live: 2, total: 2 }
    },
    async reach(ids) {
      reached++
      expect(ids).toBeUndefined()
    },
  })
  const search = async (strict: boolean) => {
    const request = { owner: OWNER, gallery: 'default', threshold: 0.5, limit: 9, strict }
    const { matches, live } = await identify({ ...world, vectors }, request, [FACE.chip.data])
    return { ids: matches[0]!.map(({ face }) => face.id), live, searches, reached }
  }
  expect(await search(false)).toEqual({ ids: [id], live: 1, searches: 1, reached: 0 })
  searches = 0
  expect(await search(true)).toEqual({ ids: [id], live: 2, searches: 2, reached: 1 })
})

it("an operation that waits for a shard does not block the owner's other operations", async ({ world }) => {
  const id = await enrolOne(world, FACE)
  const back = Promise.withResolvers<void>()
  const waitFor: string[] = []
  const vectors = storeWith(world, {
    reach(ids) {
      waitFor.push(ids ? 'some' : 'all')
      return back.promise
    },
  })
  const waiting = withPersons({ ...world, vectors })
  const galleries = { kind: 'set' as const, names: [] }
  const waits = Promise.all([
    enrolOne(waiting, FACE),
    enrolOne({ ...world, vectors }, FACE),
    updateFace(waiting, { owner: OWNER, id, galleries }),
  ])
  await vi.waitFor(() => expect(waitFor.sort()).toEqual(['all', 'some', 'some']))
  await updateFace(world, { owner: OWNER, id, meta: 'changed during the wait' })
  back.resolve()
  await waits
})
