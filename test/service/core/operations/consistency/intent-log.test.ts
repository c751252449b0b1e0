/** The intent log: reconciliation of requests that lost a shard or failed, while the service runs. */
import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { reconcileIntents } from '#core/operations/consistency/intent-log.ts'
import { reconcileRepeatedly } from '#core/operations/consistency/reconcile.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import { listFaces } from '#core/operations/faces/faces.ts'
import { StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { enrolment, FACE, OWNER } from '#test/support/sample-faces.ts'
import {
  createGallery,
  deleteFace,
  emptyWorld,
  enrolOne,
  expectKept,
  it,
  noAnswer,
  reconcileNow,
  storeWith,
  type World,
} from '../world.ts'

/** A face that was deleted while its shard was unavailable: two vectors and an intent are left. */
async function halfForgotten() {
  const world = await emptyWorld()
  await createGallery(world, 'g')
  const id = await enrolOne(world, FACE, { galleries: ['g'] })
  await deleteFace({ ...world, vectors: storeWith(world, { remove: noAnswer }) }, id)
  return world
}

it('enrol with an unavailable shard is refused without an answer of the shard, and reconciliation removes vectors that the shard adds later', async ({
  world,
}) => {
  const late: (() => Promise<void>)[] = []
  const vectors = storeWith(world, {
    async add(entries) {
      // The frozen shard executes the command later.
      late.push(() => world.vectors.add(entries.slice(0, 1)))
      return noAnswer()
    },
  })
  await expect(enrol({ ...world, vectors }, enrolment(2), [FACE, FACE])).rejects.toBeInstanceOf(
    StoreUnavailable,
  )
  expect((await listFaces(world, { owner: OWNER, limit: 1 })).faces).toEqual([])
  for (const does of late) await does()
  // The enrolment was tried twice.
  expect(await reconcileNow(world)).toEqual({
    reconciled: 4,
    vectorsRemoved: 2,
    picturesRemoved: 8,
    pending: 0,
  })
  await expectKept(world)
})

describe('reconcileRepeatedly and reconcileIntents', () => {
  it('reconcile old intents while the service runs, but not the intents of a running request', async () => {
    const world = await halfForgotten()
    const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const pictures: World['pictures'] = {
      ...world.pictures,
      async write(faces) {
        await world.pictures.write(faces)
        written.resolve()
        await end.promise
      },
    }
    const mine = enrolOne({ ...world, pictures }, FACE)
    await written.promise
    const inTwoMinutes = () => Date.now() + FACE_LIMITS.intentAgeMs + 1_000
    const outcome = await new Promise((resolve, reject) => {
      const reconciling = reconcileRepeatedly({ ...world, now: inTwoMinutes }, { done, failed: reject }, 1)
      function done(what: unknown) {
        void reconciling.stop().then(() => resolve(what))
      }
    })
    expect(outcome).toMatchObject({ reconciled: 1, vectorsRemoved: 2, pending: 0 })
    end.resolve()
    const id = await mine
    await expectKept(world, { id })
  })

  it('leave a young intent: it may belong to a running request', async () => {
    const world = await halfForgotten()
    expect(await reconcileIntents(world, Date.now() - FACE_LIMITS.intentAgeMs)).toMatchObject({
      reconciled: 0,
      pending: 0,
    })
    expect(await reconcileNow(world)).toMatchObject({ reconciled: 1 })
  })

  it('keep an intent when anything but the store fails', async ({ world }) => {
    const id = await enrolOne(world, FACE)
    const pictures = { ...world.pictures, remove: () => Promise.reject(new Error('the disk is gone')) }
    expect(await deleteFace({ ...world, pictures }, id)).toEqual({})
    await expect(reconcileNow({ ...world, pictures })).rejects.toThrow('the disk is gone')
    // The parts that did not fail were done.
    expect(await reconcileNow(world)).toMatchObject({ reconciled: 1, vectorsRemoved: 0, picturesRemoved: 2 })
    await expectKept(world)
  })
})
